-- Mission Control: queues that can be paused and held to a rate, scripts that ask, lines sent to them, schedules.

create table job_queue (
  name text primary key,
  paused_at timestamptz(3),
  paused_by uuid references app_user on delete set null,
  -- The current window of a queue with a rate limit, and how many jobs were started in it by all workers together.
  window_at timestamptz(3) not null default now(),
  window_starts integer not null default 0
);

-- What a script waits to be told: {key, text, schema, problem, askedAt}. A job that waits without a worker (it gave its
-- place back) has no heartbeat; the answer queues it again.
alter table job add column question jsonb;

-- Answers are kept, so that a run which begins again does not ask twice.
create table job_answer (
  job_id uuid not null references job on delete cascade,
  key text not null,
  answer text not null,
  answered_by uuid references app_user on delete set null,
  answered_at timestamptz(3) not null default now(),
  primary key (job_id, key)
);

-- Lines for the input of a running script; its worker takes each once.
create table job_input (
  id uuid primary key default uuidv7(),
  job_id uuid not null references job on delete cascade,
  line text not null,
  sent_by uuid references app_user on delete set null,
  sent_at timestamptz(3) not null default now(),
  taken_at timestamptz(3)
);
create index job_input_by_job on job_input (job_id, taken_at, id);

-- next_run_at is the clock: whoever moves it on enqueues the job, in one transaction, so a round is run once however
-- many workers there are.
create table job_schedule (
  id uuid primary key default uuidv7(),
  name text not null,
  queue text not null,
  payload jsonb not null default '{}',
  options jsonb not null default '{}',
  cron text not null,
  time_zone text not null default 'UTC',
  enabled boolean not null default true,
  next_run_at timestamptz(3),
  last_run_at timestamptz(3),
  last_job_id uuid references job on delete set null,
  problem text,
  created_by uuid references app_user on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index job_schedule_name on job_schedule (name_key(name));
create index job_schedule_due on job_schedule (next_run_at) where enabled;

-- The sweep asks which files have a row.
create index job_artifact_by_file on job_artifact (file_key);

-- Mission Control tells what failed within the last hour.
create index job_failed on job (ended_at) where status = 'failed';
