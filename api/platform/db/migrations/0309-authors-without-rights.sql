-- Posts name their author only while the account has the right to edit news, so a change of the right changes pages too.
create trigger member_author_changed
  after update of active, password_length_ok_for_staff, manage_news, is_write_access_admin on member for each row
  when ((old.active, old.password_length_ok_for_staff, old.manage_news > 0, old.is_write_access_admin)
    is distinct from (new.active, new.password_length_ok_for_staff, new.manage_news > 0, new.is_write_access_admin))
  execute function announce_renamed_author();
