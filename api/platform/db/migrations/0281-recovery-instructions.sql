-- Staff email a member how to request account recovery, and say why.
alter type staff_note_kind add value 'recovery';
