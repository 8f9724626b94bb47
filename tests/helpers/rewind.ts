import type pg from 'pg'

/** insufficient_privilege (PostgreSQL, appendix A): a server of somebody's own, whose user is no superuser. */
const NOT_ALLOWED = '42501'

/** Notes in a database of PostgreSQL all that is in it, for `rewind` of its copies; a few rows as a rule. */
export async function keepRows(client: pg.Client): Promise<void> {
  await client.query(`
    create schema kept;
    create table kept.rows (relation text, rows jsonb);
    create table kept.sequences as
      select quote_ident(sequencename) as name, last_value from pg_sequences
      where schemaname = 'public' and last_value is not null;
    do $$
    declare filled record;
    begin
      for filled in select relname from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
      loop
        execute format('insert into kept.rows select %1$L, jsonb_agg(to_jsonb(t)) from public.%1$I t having count(*) > 0',
          filled.relname);
      end loop;
    end $$`)
}

/** Takes back what `keepRows` noted. */
export async function forgetRows(client: pg.Client): Promise<void> {
  await client.query('drop schema kept cascade')
}

/**
 * Brings the rows and numbers of a database back to what `keepRows` noted; its tables must be the same still, and
 * nobody else connected. False where nothing was noted, or it is not allowed.
 */
export async function rewind(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("select to_regclass('kept.rows') is not null as kept")
  if (!rows[0]?.kept) return false
  try {
    await client.query(REWIND)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === NOT_ALLOWED) return false
    throw error
  }
}

/** Without triggers: ledgers refuse what is done here. Deleting a few rows is much faster than to truncate. */
const REWIND = `
  do $$
  declare
    filled record;
    counter record;
  begin
    perform set_config('session_replication_role', 'replica', true);
    for filled in select oid, relname from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0
    loop
      execute format('delete from public.%I', filled.relname);
      for counter in select s.oid::regclass as name from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S'
        where d.refobjid = filled.oid
      loop
        perform setval(counter.name, coalesce(k.last_value, 1), k.last_value is not null)
          from (select) one left join kept.sequences k on k.name = counter.name::text;
      end loop;
    end loop;
    for filled in select relation, rows from kept.rows loop
      execute format('insert into public.%1$I overriding system value select * from jsonb_populate_recordset(null::public.%1$I, $1)',
        filled.relation) using filled.rows;
    end loop;
  end $$`
