import { describe, expect, test } from 'vitest'
import { COMMAND_NAMES, readArguments, usage, usageOf } from '#server/commands/usage.ts'
import { startProgram } from '#tests/support/program.ts'

async function run(...args: string[]): Promise<{ code: number | string; output: string }> {
  // Wrong settings must not keep anyone from reading the help.
  const program = startProgram({ args, settings: { PORT: 'none' } })
  return { code: await program.ended, output: program.output() }
}

describe('the command line', () => {
  test('lists every command in one line', () => {
    const lines = usage().split('\n')
    for (const name of COMMAND_NAMES) {
      expect(lines.filter((line) => line.startsWith(`  ${name}  `))).toHaveLength(1)
    }
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(100)
  })

  test.each(COMMAND_NAMES)('%s has a usage: how to call it, what it does, its options', (name) => {
    const text = usageOf(name)
    expect(text).toMatch(new RegExp(`^Usage: npm run partharbor -- ${name}( |$)`, 'm'))
    expect(text).toMatch(/\n\n[A-Z].*\.\n?/)
    expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(120)
  })

  test('prints the help of a command without looking at settings', async () => {
    for (const words of [
      ['backup', '--help'],
      ['help', 'backup'],
    ]) {
      expect(await run(...words)).toEqual({ code: 0, output: `${usageOf('backup')}\n` })
    }
    expect(usageOf('backup')).toContain('--to DIR  the folder to write to (default: BACKUP_DIR)')
  })

  test('names a wrong word and prints the usage before it complains about settings', async () => {
    expect(await run('backup', '--tu', 'x')).toEqual({
      code: 1,
      output: `There is no option --tu.\n\n${usageOf('backup')}\n`,
    })
    const { code, output } = await run('admin', 'crate')
    expect(code).toBe(1)
    expect(output).toContain('There is no command "admin crate".')
    expect(output).toContain('admin create')
    expect(output).not.toContain('backup')
  })
})

test.each([
  ['backup', ['--to'], '--to needs a value: --to DIR.'],
  ['backup', ['--to', '--json'], '--to needs a value: --to DIR.'],
  ['backup', ['verfy'], 'backup does not take "verfy".'],
  ['doctor', ['--json=yes'], '--json takes no value.'],
  ['doctor', ['-j'], 'There is no option -j.'],
  ['recalls load', [], 'FILE is missing.'],
  ['recalls load', ['a.csv', 'b.csv'], 'recalls load does not take "b.csv".'],
  ['migrate', ['now'], 'migrate does not take "now".'],
] as const)('%s %j is refused: %s', (name, words, problem) => {
  expect(() => readArguments(name, words)).toThrow(`${problem}\n\n${usageOf(name)}`)
})

test('values, switches and the word after a command are read', () => {
  expect(readArguments('restore', ['--from=/b', '--end-tokens'])).toEqual({
    from: '/b',
    'end-tokens': true,
    operand: undefined,
  })
  expect(readArguments('restore', [])).toEqual({ from: undefined, 'end-tokens': false, operand: undefined })
  expect(readArguments('recalls load', ['list.csv'])).toEqual({ operand: 'list.csv' })
})
