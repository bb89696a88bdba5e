create table skipped_setup_step (
  step text primary key check (char_length(step) <= 40),
  skipped_at timestamptz not null default now()
);
comment on table skipped_setup_step is 'Steps of the setup checklist that this installation doesn’t need. The audit log says who decided it.';
comment on column skipped_setup_step.step is 'One of the steps in the contract.';
