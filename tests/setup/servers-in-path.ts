/** Debian installs nginx and PgBouncer in a folder that is not in every user's PATH. */
process.env['PATH'] = `${process.env['PATH']}:/usr/sbin`
