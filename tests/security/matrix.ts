/**
 * Who may do what, as one table: written by hand from the spec, and not from the code or from roles.yaml, or it
 * could not be wrong where they are.
 *
 * Cells of answers: a status is meant exactly; `ok` is any answer behind the guards (2xx, or a complaint about
 * what was sent: 404, 409, 412, 417, 422); `own` is that for a key somebody made, and 403 for one of the workspace; `in` sends to the sign-in page, `go` elsewhere; `.` is as in the
 * column `paged`.
 */

/**
 * Kinds of routes × principals.
 *
 * guest: nobody · bad: a credential that is none (revoked, expired, …) · away: an address outside the key's list
 * plain: signed in without a role · role: a Sales User · boss: a System Manager · demo: one of a demo account
 * read, write, admin: keys of the workspace · rkey: an admin key that the Sales User made
 * forged: a session of our page without its token, foreign: a call that another site's page made, both by POST (by
 * GET they are as `paged`, except `a-leave`, which no page of others may cause) · paged: a session of our page with
 * its token
 */
export const KINDS = `
                guest bad away plain role boss demo read write admin rkey forged foreign paged
public          200   200 200  200   200  200  200  200  200   200   200  200    200     200
public-no       404   404 404  404   404  404  404  404  404   404   404  404    404     404
metrics         401   401 403  403   403  200  200  403  403   200   403  .      .       200
hook            400   400 400  400   400  400  400  400  400   400   400  400    400     400

any             401   401 403  200   200  200  200  200  200   200   200  .      .       200
event           401   401 403  404   404  404  404  404  404   404   404  .      .       404
stop            401   401 403  404   404  404  404  403  404  404   404  403    403     404
import          401   401 403  400   400  400  400  403  400  400   400  403    403     400
catalogued      401   401 403  404   200  200  200  200  200   200   200  .      .       200
read            401   401 403  403   ok   ok   ok   ok   ok    ok    ok   .      .       ok
read!           401   401 403  403   ok   ok   ok   ok   ok    ok    ok   403    403     ok
write           401   401 403  403   ok   ok   ok   403  ok    ok    ok   403    403     ok
cancel          401   401 403  403   403  ok   ok   403  ok    ok    403  403    403     ok
delete          401   401 403  403   403  ok   ok   403  403   ok    403  403    403     ok
run-read        401   401 403  403   403  ok   ok   ok   ok    ok    403  .      .       ok
run-write       401   401 403  403   403  ok   ok   403  ok    ok    403  403    403     ok
run-admin       401   401 403  403   403  ok   ok   403  403   ok    403  403    403     ok
file            401   401 403  ok    ok   ok   ok   ok   ok    ok    ok   .      .       ok
link            401   401 403  404   404  404  404  403  404   404   404  403    403     404
leave           401   401 403  403   403  404  404  403  403  404   403  403    403     404
mine            401   401 403  200   200  200  200  403  403   200   200  .      .       200
mine!           401   401 403  404   404  404  404  403  403   404   404  403    403     404
mine-all!       401   401 403  422   422  422  422  403  403   422   422  403    403     422
person          401   401 403  ok    ok   ok   ok   own  own   own   ok   .      .       ok
person!         401   401 403  ok    ok   ok   ok   403  own   own   ok   403    403     ok
buy             401   401 403  403   403  ok   403  403  403   ok    403  403    403     ok

a-open          ok    401 403  ok    ok   ok   ok   ok   ok    ok    ok   400    400     ok
a-leave         ok    401 403  ok    ok   ok   ok   ok   ok    ok    ok   400    400     ok
a-sign-in       401   401 403  401   401  401  401  401  401   401   401  400    400     401
a-verb          403   401 403  403   403  403  403  403  403   403   403  400    400     403
a-signed-in     403   401 403  ok    ok   ok   ok   ok   ok    ok    ok   400    400     ok
a-own           403   401 403  ok    ok   ok   ok   403  403   403   403  400    400     ok
a-read          403   401 403  403   ok   ok   ok   ok   ok    ok    ok   400    400     ok
a-write         403   401 403  403   ok   ok   ok   403  ok    ok    ok   400    400     ok
a-bring         403   401 403  ok    ok   ok   ok   403  ok    ok    ok   400    400     ok
a-cancel        403   401 403  403   403  ok   ok   403  ok    ok    403  400    400     ok
a-delete        403   401 403  403   403  ok   ok   403  403   ok    403  400    400     ok
a-bill          403   401 403  403   403  ok   ok   ok   ok    ok    403  400    400     ok
a-run           403   401 403  403   403  ok   ok   403  403   ok    403  400    400     ok
a-buy           403   401 403  403   403  ok   403  403  403   ok    403  400    400     ok

page-open       200   200 200  200   200  200  200  200  200   200   200  .      .       200
page-form       ok    ok  ok   ok    ok   ok   ok   ok   ok    ok    ok   ok     403     ok
page-over       410   410 410  410   410  410  410  410  410   410   410  .      .       410
page-over!      410   410 410  410   410  410  410  410  410   410   410  410    403     410
page-sign-in    200   200 200  go    go   go   go   200  200   200   200  .      .       go
page-sign-in!   401   401 401  401   401  401  401  401  401   401   401  401    403     401
page-sign-out!  go    go  go   go    go   go   go   go   go    go    go   403    403     go
page-waits      in    in  in   in    in   in   in   in   in    in    in   .      .       in
page-waits!     in    in  in   in    in   in   in   in   in    in    in   in     403     in
shared          404   404 404  404   404  404  404  404  404   404   404  .      .       404
shared!         404   404 404  404   404  404  404  404  404   404   404  404    403     404
page-on         go    go  go   go    go   go   go   go   go    go    go   .      .       go
page-own        in    in  in   200   200  200  200  in   in    in    in   .      .       200
page-own!       in    in  in   ok    ok   ok   ok   in   in    in    in   403    403     ok
page-end!       in    in  in   go    go   go   go   in   in    in    in   403    403     go
page-run        in    in  in   403   403  200  200  in   in    in    in   .      .       200
print           in    401 403  403   ok   ok   ok   ok   ok   ok    ok   .      .       ok
page-run!       in    in  in   403   403  ok   ok   in   in    in    in   403    403     ok
`

/** Every route of the app, and its kind. Routes under /api stand for those under /api/v1 too. */
export const ROUTES = `
GET    /healthz                                        public
GET    /readyz                                         public
GET    /metrics                                        metrics
GET    /v1/openapi.json                                public
GET    /docs                                           public
GET    /docs/reference.js                              public
GET    /docs/reference.css                             public
GET    /docs/errors                                    public
GET    /docs/manual                                    public
GET    /docs/manual/*name                              public-no
GET    /docs/events                                    public
GET    /docs/lists                                     public
GET    /docs/raw                                       public
GET    /docs/raw.css                                   public
GET    /docs/raw.js                                    public
GET    /docs/webhooks                                  public
GET    /docs/reports/:slug                             public
GET    /docs/resources/:slug                           public
GET    /docs/swagger-ui-bundle.js                      public
GET    /docs/swagger-ui.css                            public
GET    /docs/favicon-32x32.png                         public
GET    /api/openapi.json                               public
GET    /assets/pages.css                               public
GET    /assets/passkeys.js                             public
GET    /favicon.svg                                    public
GET    /favicon.ico                                    public
GET    /icon-192.png                                   public
GET    /icon-512.png                                   public
GET    /manifest.webmanifest                           public
POST   /hooks/stripe                                   hook

GET    /v1/boot                                        any
GET    /v1/resources                                   any
GET    /v1/search                                      any
GET    /v1/resources/:slug                             catalogued
GET    /v1/webhooks/events                             any
GET    /v1/events                                      any
GET    /v1/events/:id                                  event
GET    /v1/reports                                     any
GET    /v1/reports/:report                             read
GET    /v1/tiers                                       any
GET    /v1/addons                                      any
GET    /v1/proof                                       run-read
POST   /v1/tiers/:slug/subscribe                       buy
GET    /v1/api-keys                                    run-admin
POST   /v1/api-keys                                    run-admin
DELETE /v1/api-keys/:id                                run-admin
GET    /v1/access                                      run-read
POST   /v1/reports                                     run-admin
GET    /v1/access/why                                  run-read
GET    /v1/studio                                      run-admin
POST   /v1/studio/trial                                run-admin
POST   /v1/studio/save                                 run-admin
POST   /v1/studio/undo                                 run-admin
GET    /v1/studio/:slug                                run-admin
GET    /v1/webhooks                                    run-read
POST   /v1/webhooks                                    run-write
GET    /v1/webhooks/:id                                run-read
PATCH  /v1/webhooks/:id                                run-write
DELETE /v1/webhooks/:id                                run-write
POST   /v1/webhooks/:id/rotate                         run-write
GET    /v1/webhooks/:id/deliveries                     run-read
GET    /v1/webhooks/:id/deliveries/:delivery           run-read
POST   /v1/webhooks/:id/deliveries/:delivery/resend    run-write
POST   /v1/webhooks/:id/test                           run-write
POST   /v1/webhooks/:id/recover                        run-write
GET    /v1/me/sessions                                 mine
DELETE /v1/me/sessions                                 mine-all!
DELETE /v1/me/sessions/:id                             mine!
GET    /v1/me/pairs                                    mine
DELETE /v1/me/pairs/:id                                mine!
GET    /v1/me/settings/:key                            person
PUT    /v1/me/settings/:key                            person!
DELETE /v1/me/settings/:key                            person!
GET    /v1/list-views                                  person
POST   /v1/list-views                                  person!
PATCH  /v1/list-views/:id                              person!
DELETE /v1/list-views/:id                              person!
GET    /v1/jobs                                        any
GET    /v1/jobs/:id                                    event
POST   /v1/jobs/:id/stop                               stop
POST   /v1/jobs/:id/undo                               stop
POST   /v1/imports                                     import
GET    /v1/imports/:id                                 event
GET    /v1/imports/:id/failed.csv                      event
POST   /v1/imports/:id/undo                            stop
GET    /v1/notifications                               person
POST   /v1/notifications/read                          person!
GET    /v1/stream                                      any
POST   /v1/:resource/:id/links                         write
POST   /v1/:resource/:id/send                          write
DELETE /v1/links/:id                                   link
GET    /v1/:resource                                   read
POST   /v1/:resource                                   write
GET    /v1/:resource/:id                               read
GET    /v1/:resource/:id/explain/:field                read
PATCH  /v1/:resource/:id                               write
DELETE /v1/:resource/:id                               delete
POST   /v1/:resource/:id/leave                         leave
POST   /v1/:resource/_bulk                             write
POST   /v1/:resource/_export                           read!
GET    /v1/jobs/:id/file                               event
GET    /v1/:resource/:id/timeline                      read
POST   /v1/:resource/:id/comments                      write
POST   /v1/:resource/:id/assign                        write
POST   /v1/:resource/:id/submit                        write
POST   /v1/:resource/:id/cancel                        cancel
POST   /v1/:resource/:id/amend                         write
POST   /v1/:resource/:id/update-submitted              write
POST   /v1/:resource/:id/actions/:name                 write

GET    /api/resource/:doctype                          a-read
POST   /api/resource/:doctype                          a-write
GET    /api/resource/:doctype/*name                    a-read
PUT    /api/resource/:doctype/*name                    a-write
PATCH  /api/resource/:doctype/*name                    a-write
DELETE /api/resource/:doctype/*name                    a-delete
POST   /api/resource/:doctype/*name                    a-write

GET    /                                               page-own
GET    /app                                            page-on
GET    /login                                          page-sign-in
POST   /login                                          page-sign-in!
GET    /second-factor                                  page-waits
POST   /second-factor                                  page-waits!
GET    /settings/second-factor                         page-own
POST   /settings/second-factor                         page-own!
POST   /logout                                         page-sign-out!
GET    /signup                                         page-sign-in
POST   /signup                                         page-form
GET    /forgot-password                                page-open
POST   /forgot-password                                page-form
GET    /reset-password                                 page-over
POST   /reset-password                                 page-over!
GET    /change-password                                page-own
POST   /change-password                                page-own!
GET    /settings/developer                             page-run
POST   /settings/developer                             page-run!
GET    /settings/sessions                              page-own
POST   /settings/sessions                              page-end!
GET    /print/:resource/:id                            print
GET    /files/:id/:name                                file
GET    /p/:token                                       shared
POST   /p/:token                                       shared!
GET    /private/files/:id/:name                        file
`

/** Every method of surface A: its kind by GET and by POST; both also as `cmd=` at the root. */
export const METHODS = `
ping                                             a-open       a-open
login                                            a-verb       a-sign-in
logout                                           a-leave      a-leave
frappe.auth.get_logged_user                      a-signed-in  a-signed-in
frappe.sessions.get_csrf_token                   a-signed-in  a-signed-in
frappe.client.get_list                           a-read       a-read
frappe.client.get_count                          a-read       a-read
frappe.client.get                                a-read       a-read
frappe.client.get_value                          a-read       a-read
frappe.client.get_single_value                   a-signed-in  a-signed-in
frappe.client.has_permission                     a-signed-in  a-signed-in
frappe.client.get_doc_permissions                a-signed-in  a-signed-in
frappe.client.validate_link                      a-read       a-read
frappe.client.is_document_amended                a-read       a-read
frappe.client.set_value                          a-verb       a-write
frappe.client.insert                             a-verb       a-write
frappe.client.insert_many                        a-verb       a-write
frappe.client.save                               a-verb       a-write
frappe.client.bulk_update                        a-verb       a-signed-in
frappe.client.submit                             a-verb       a-write
frappe.client.cancel                             a-verb       a-cancel
frappe.client.delete                             a-verb       a-delete
frappe.client.rename_doc                         a-verb       a-read
frappe.rename_doc                                a-verb       a-read
frappe.client.attach_file                        a-verb       a-bring
upload_file                                      a-verb       a-bring
frappe.desk.search.search_link                   a-read       a-read
frappe.model.workflow.apply_workflow             a-verb       a-write
frappe.model.workflow.get_transitions            a-read       a-read
run_doc_method                                   a-verb       a-write
frappe.desk.query_report.run                     a-signed-in  a-signed-in
svc_brand.billing.api.get_public_pricing         a-open       a-verb
svc_brand.billing.api.get_my_plan                a-signed-in  a-verb
svc_brand.billing.api.get_billing_status         a-bill       a-verb
svc_brand.billing.api.create_checkout            a-verb       a-buy
svc_brand.billing.api.create_portal_session      a-verb       a-buy
svc_brand.analytics.contact.submit_contact       a-verb       a-open
svc_brand.marketing.api.send_contact_message     a-verb       a-open
svc_brand.auth.second_factor.list                a-own        a-own
svc_brand.auth.second_factor.begin               a-verb       a-own
svc_brand.auth.second_factor.confirm             a-verb       a-own
svc_brand.auth.second_factor.remove              a-verb       a-own
svc_brand.auth.second_factor.new_recovery_codes  a-verb       a-own
svc_brand.auth.signup.sign_up                    a-verb       a-open
frappe.core.doctype.user.user.sign_up            a-verb       a-open
frappe.core.doctype.user.user.reset_password     a-verb       a-open
frappe.core.doctype.user.user.generate_keys      a-verb       a-run
`

/**
 * Rights of each business role over a DocType of each kind, with a workspace of the highest plan.
 *
 * c create · r read · u update · d delete · s submit · x cancel · a amend · t actions · p report · e export
 * `all` is all of them, `day` is `rcusatpe`, what the work of the day takes; `-` is none.
 * none: nobody's role (All) · E Employee · SU SM Sales · PU PM Purchase · KU KM Stock · AU AM Accounts
 * HU HM HR · JU JM Projects · FU FM Manufacturing · ST Support Team · boss: System Manager · LA EA Leave, Expense Approver
 */
export const RIGHTS = `
                     none E    SU     SM   PU  PM  KU  KM  AU  AM   HU  HM  JU  JM  FU  FM  ST  boss LA  EA
companies            r    r    r      r    r   r   r   r   r   r    r   r   r   r   r   r   r   all  r   r
customers            -    -    rcutpe all  -   -   r   -   r   rp   -   -   r   -   -   -   r   all  -   -
contacts             -    -    rcutpe all  rcu all r   -   r   r    -   -   -   -   -   -   rcu all  -   -
sales-orders         -    -    day    all  -   -   r   rp  r   rpe  -   -   -   -   -   -   -   all  -   -
sales-invoices       -    -    r      rp   r   rp  -   -   day all  -   -   -   -   -   -   -   all  -   -
purchase-orders      -    -    -      -    day all r   -   r   rpe  -   -   -   -   -   -   -   all  -   -
material-requests    -    -    -      -    day  all  day  all  r    -    -    -    rcu  -   rcus rcusxatp -   all  -   -
serial-nos           -    -    r      -    rcu  -    rcupe all  -    -    -    -    -    -   rcu  -    r   all  -   -
serial-and-batch-balances -    -    r      -    r    -    rpe  rpe  -    -    -    -    -    -   r    -    -   rpe  -   -
items                -    -    r      rp   r   rp  day all r   rp   -   -   -   -   r   rp  -   all  -   -
item-prices          -    -    r      all  r   all r   r   r   rpe  -   -   -   -   -   -   -   all  -   -
bins                 -    -    r      -    r   -   rpe rpe rp  rpe  -   -   -   -   r   -   -   rpe  -   -
stock-ledger-entries -    -    r      -    r   -   rpe rpe rp  rpe  -   -   -   -   r   -   -   rpe  -   -
bank-transactions    -    -    -      -    -   -   -   -   day all  -   -   -   -   -   -   -   all  -   -
journal-entries      -    -    -      r    -   r   -   -   day all  -   -   -   -   -   -   -   all  -   -
gl-entries           -    -    -      -    -   -   -   -   rpe rpe  -   -   -   -   -   -   -   rpe  -   -
leave-types          -    r    -      -    -   -   -   -   -   -    day all -   -   -   -   -   all  -   -
leave-applications   -    rcu  -      -    -   -   -   -   -   -    day all -   -   -   -   -   all  rus -
leave-allocations    -    r    -      -    -   -   -   -   -   -    day all -   -   -   -   -   all  -   -
employee-checkins    -    rc   -      -    -   -   -   -   -   -    day all -   -   -   -   -   all  -   -
employee-advances    -    rcu  -      -    -   -   -   -   rt  rtpe day all -   -   -   -   -   all  -   rus
salary-slips         -    r    -      -    -   -   -   -   -   -    -   all -   -   -   -   -   all  -   -
payroll-entries      -    -    -      -    -   -   -   -   -   -    -   all -   -   -   -   -   all  -   -
job-applicants       -    -    -      -    -   -   -   -   -   -    day all -   -   -   -   -   all  -   -
attendance           -    r    -      -    -   -   -   -   -   -    day all -   -   -   -   -   all  -   -
expense-claims       -    rcu  -      -    -   -   -   -   rt  rtpe day all -   -   -   -   -   all  -   rus
timesheets           -    rcus -      -    -   -   -   -   r   -    rp  rpe day all -   -   -   all  -   -
projects             -    r    r      -    -   -   -   -   r   -    -   -   day all -   -   -   all  -   -
work-orders          -    -    -      -    -   -   r   r   -   -    -   -   -   -   day all -   all  -   -
assets               -    -    -      -    -   -   r   -   day all  r   -   -   -   -   -   -   all  -   -
asset-movements      -   -   -   -   -   -   rcusat all day all r   -   -   -   -   -   -   all -   -
issues               -    rc   rc     rcup -   -   -   -   -   -    -   -   r   -   -   -   all all  -   -
contact-messages     -    -    ru     all  -   -   -   -   -   -    -   -   -   -   -   -   all all  -   -
users                -    -    -      -    -   -   -   -   -   -    -   -   -   -   -   -   -   all  -   -
roles                -    -    -      -    -   -   -   -   -   -    -   -   -   -   -   -   -   all  -   -
user-permissions     -    -    -      -    -   -   -   -   -   -    -   -   -   -   -   -   -   all  -   -
workflows            r    r    r      r    r   r   r   r   r   r    r   r   r   r   r   r   r   rpe  r   r
`

/** Columns of RIGHTS that stand for a role. */
export const ROLE_OF: Readonly<Record<string, string | undefined>> = {
  none: undefined,
  E: 'Employee',
  SU: 'Sales User',
  SM: 'Sales Manager',
  PU: 'Purchase User',
  PM: 'Purchase Manager',
  KU: 'Stock User',
  KM: 'Stock Manager',
  AU: 'Accounts User',
  AM: 'Accounts Manager',
  HU: 'HR User',
  HM: 'HR Manager',
  LA: 'Leave Approver',
  EA: 'Expense Approver',
  JU: 'Projects User',
  JM: 'Projects Manager',
  FU: 'Manufacturing User',
  FM: 'Manufacturing Manager',
  ST: 'Support Team',
  boss: 'System Manager',
}

/** A resource of each tier × the plan of the workspace, for every key and person with the right otherwise. */
export const TIERS = `
                   free pro business
customers          ok   ok  ok
bank-transactions  403  ok  ok
assets             403  403 ok
`

/** What a demo account of each plan may see, while the workspace has a plan of its own, or the operator set one. */
export const DEMO_TIERS = `
workspace override demo      customers bank-transactions assets
free      -        business  ok        ok                ok
free      -        pro       ok        ok                403
free      pro      business  ok        ok                403
free      business free      ok        ok                ok
business  -        free      ok        403               403
`

/** A table of texts: rows by their first cells, cells by the names of their columns. */
export interface Grid {
  readonly columns: readonly string[]
  readonly rows: ReadonlyMap<string, Readonly<Record<string, string>>>
}

/** Reads a table whose first line names the columns. Throws Error for a row of another length or a second one. */
export function readGrid(text: string): Grid {
  const [columns = [], ...lines] = linesOf(text)
  const rows = new Map<string, Record<string, string>>()
  for (const [name = '', ...cells] of lines) {
    if (cells.length !== columns.length || rows.has(name))
      throw new Error(`row ${name}: expected ${columns.length} cells, once; got ${cells.length}`)
    rows.set(name, Object.fromEntries(columns.map((column, at) => [column, cells[at]!])))
  }
  return { columns, rows }
}

/** The cells of each line that is not empty. */
export function linesOf(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => line.trim().split(/\s+/))
}
