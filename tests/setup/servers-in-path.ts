/** Debian keeps nginx and PgBouncer where not everybody's path leads. */
process.env['PATH'] = `${process.env['PATH']}:/usr/sbin`
