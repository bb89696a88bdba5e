-- Why something that waited was not published, which text a version of a legal text is, and when a release took over what had
-- been published.

alter table content_release add column cause text;
comment on column content_release.cause is 'Why it ended, where nobody ended it. Reasons in somebody''s words stand beside it.';
create index content_release_dropped on content_release (ended_at, id)
  where ended_at is not null and state <> 'published';

alter table content_version add column legal_versions jsonb;
comment on column content_version.legal_versions is 'Of the legal texts: the versions that whoever read this text accepted. Such a row is kept for good.';
comment on table content_version is 'What was published of each piece, whole: the newest hundred of each, and every one of the legal texts. Never changed.';

alter table content_piece add column taken_over_at timestamptz(3);
comment on column content_piece.taken_over_at is 'Since when the files of a release say what lies over them. It goes later: instances of the release before may still run, or come back.';
