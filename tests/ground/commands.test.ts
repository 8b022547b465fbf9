import { describe, expect, test } from 'vitest'
import { readRecalls } from '#server/commands/recalls-load.ts'
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
  expect(readArguments('recalls load', ['list.csv'])).toEqual({
    operand: 'list.csv',
    'skip-bad-lines': false,
  })
})

test('each line of a list of recalls that has no part number is named', () => {
  const lines = [
    'part number,reason',
    '77960-TL0-A80,"Takata, NHTSA 16V-061"',
    'Takata',
    '',
    '"04-772",Airbag',
    ',no number',
    '77960 tl0 a80,Takata',
    '04772,Airbag',
  ]
  expect(readRecalls(`\ufeff${lines.join('\r\n')}`)).toEqual({
    recalls: [
      { number: '77960-TL0-A80', reason: 'Takata, NHTSA 16V-061' },
      { number: '04-772', reason: 'Airbag' },
    ],
    bad: ['line 3: no digits', 'line 6: no digits', 'line 7: line 2 has another reason for 77960 tl0 a80'],
  })
})
