import { afterAll, beforeEach } from 'vitest'
import { type LiveScripts, openLiveScripts } from './live-scripts.ts'
import { OPENAI_KEY, type OpenAiReply, type OpenAiServer, startOpenAiServer } from './openai-server.ts'
import type { TestApp } from './test-app.ts'

/** What a language model answers for a part, known by its number; `time` counts how often it was asked for that one. */
export type PartAnswers = (number: number, time: number) => OpenAiReply

export type PartModel = {
  readonly server: OpenAiServer
  /** With the model behind them. */
  readonly scripts: LiveScripts
  /** The numbers it was asked for in this test. */
  readonly asked: number[]
  /** Set by a test, for itself. */
  answers: PartAnswers
}

export const says = (text: string): OpenAiReply => ({ kind: 'answer', content: { text } })

/** The scripts of the app with a language model that knows the parts of `partFields`. Call it at the top of a test file. */
export async function openPartModel(app: TestApp, usual: PartAnswers): Promise<PartModel> {
  const asked: number[] = []
  const server = await startOpenAiServer(({ messages }) => {
    const number = Number(/DL3Z-(\d+)/.exec(messages[1]?.content ?? '')?.[1])
    asked.push(number)
    return model.answers(number, asked.filter((other) => other === number).length)
  })
  afterAll(() => server.close())
  const scripts = await openLiveScripts(app, {
    OPENAI_API_KEY: OPENAI_KEY,
    OPENAI_BASE_URL: server.url,
    OPENAI_MODEL: 'gpt-4o',
  })
  const model: PartModel = { server, scripts, asked, answers: usual }
  beforeEach(() => {
    asked.length = 0
    model.answers = usual
  })
  return model
}
