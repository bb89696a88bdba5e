create table conversation_answer_link (
  code_hash text primary key,
  conversation_id text not null references conversation on delete cascade,
  created_at timestamptz(3) not null default now()
);
comment on table conversation_answer_link is 'Links in emailed answers, with which a visitor continues the conversation.';
create index conversation_answer_link_by_conversation on conversation_answer_link (conversation_id);
