import type { Db } from '#server/platform/database/database.ts'
import { defineJob, type JobDefinition } from '#server/platform/jobs/job-definition.ts'
import { sendMailQueue } from './mail.ts'
import { deliverMail, openSmtpClient, type Sender } from './smtp-client.ts'

type Deps = { db: Db; smtpUrl: string | undefined; sender: Sender }

export function mailJobs({ db, smtpUrl, sender }: Deps): JobDefinition[] {
  const smtp = smtpUrl === undefined ? undefined : openSmtpClient(smtpUrl, sender)
  return [defineJob(sendMailQueue, (job) => deliverMail({ db, smtp }, job))]
}
