/**
 * Examples below the help of each command that does something: command lines that work, given the names in
 * them. A test takes each through the parser.
 */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  serve: ['svc serve', 'svc serve --port 8080 --data /var/lib/svc', 'svc serve --watch'],
  setup: ['svc setup', 'svc setup --email ann@example.com --company "Ann & Co" --country Germany'],
  'key create': [
    'svc key create --scope write --label "web shop"',
    'svc key create --scope read --allow-ip 203.0.113.7 --json',
  ],
  'key list': ['svc key list'],
  'key revoke': ['svc key revoke key_0mwq0866nc7nodd0wyump3f7t'],
  'user add': [
    'svc user add ann@example.com --full-name "Ann Lee" --role "Sales User"',
    'svc user add ann@example.com --role "Stock User" --api-key',
  ],
  'user list': ['svc user list'],
  'user disable': ['svc user disable ann@example.com'],
  'user leave': ['svc user leave ann@example.com --hand-over-to bob@example.com'],
  'user passwd': ['svc user passwd ann@example.com'],
  'user reset-second-factor': ['svc user reset-second-factor ann@example.com'],
  'role list': ['svc role list'],
  'mail returned': ['svc mail returned report.eml --json'],
  'doctype new': [
    'svc doctype new "Fleet Vehicle" --module assets --field plate:data,required',
    'svc doctype new Visit --field "state:select:Planned|Done" --field customer:link:Customer',
  ],
  'access who': [
    'svc access who employees/EMP-00001',
    'svc access who employees/EMP-00001 user_id',
  ],
  'access why': [
    'svc access why ann@example.com salary-slips/SLIP-2026-00001',
    'svc access why ann@example.com "items/Blue bike" valuation_rate --json',
  ],
  'doctype check': ['svc doctype check', 'svc doctype check ./my-doctypes'],
  'doctype diff': [
    'svc doctype diff ./my-doctypes',
    'svc doctype diff ./doctypes-1.0 ./doctypes-1.1 --exit-code > release-note.md',
  ],
  'doctype list': ['svc doctype list'],
  'doctype show': ['svc doctype show "Sales Invoice"', 'svc doctype show sales-invoices --json'],
  'doctype schema': ['svc doctype schema --out doctype.schema.json'],
  migrate: ['svc migrate --dry-run', 'svc migrate'],
  verify: ['svc verify', 'svc verify --all', 'svc verify --repair --yes'],
  explain: [
    'svc explain sales-invoices/SINV-2026-00001 outstanding_amount',
    'svc explain "items/Blue bike" valuation_rate --depth 3 --json',
  ],
  tick: ['svc tick'],
  demo: ['svc demo', 'svc demo --data ./demo --months 3'],
  import: [
    'svc import customers customers.csv',
    'svc import items items.csv --upsert --key item_code',
    'svc import customers - --format jsonl --dry-run',
  ],
  export: [
    'svc export customers > customers.jsonl',
    'svc export sales-invoices --filter status=Overdue --out overdue.csv',
  ],
  backup: ['svc backup /backups/monday.svc', 'svc backup /backups/monday.svc --encrypt'],
  restore: ['svc restore /backups/monday.svc --dry-run', 'svc restore /backups/monday.svc --force'],
  types: ['svc types --out src/workspace.ts'],
  openapi: ['svc openapi --out openapi.json'],
  client: ['svc client --lang python --resources customers,sales-orders --out client'],
  'tier show': ['svc tier show'],
  'tier set': ['svc tier set business'],
  'tier clear': ['svc tier clear'],
  'billing setup': ['svc billing setup --dry-run'],
  'webhook listen': [
    'svc webhook listen --register',
    'svc webhook listen --register --events sales-invoices.paid,customers.* --forward-to http://localhost:3000/hook',
    'svc webhook listen --secret "$SECRET"',
  ],
  'webhook trigger': [
    'svc webhook trigger sales-invoices.paid',
    'svc webhook trigger customers.created --id whk_0mwq0866nc7nodd0wyump3f7t',
  ],
  doctor: ['svc doctor', 'svc doctor --json'],
  chaos: ['svc chaos', 'svc chaos --faults kill,freeze --minutes 1 --yes', 'svc chaos --dry-run'],
  mcp: ['svc mcp'],
  completion: [
    'svc completion bash > ~/.local/share/bash-completion/completions/svc',
    'svc completion fish > ~/.config/fish/completions/svc.fish',
  ],
}
