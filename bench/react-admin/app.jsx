import {
  Admin,
  BooleanField,
  Datagrid,
  DateField,
  FunctionField,
  List,
  NumberField,
  Resource,
  SearchInput,
  SelectInput,
  TextField,
} from 'react-admin'
import { createRoot } from 'react-dom/client'

/** What the list shows, as that of the Desk does. */
const FIELDS = 'id,item_code,item_name,item_group,standard_rate,stock_uom,disabled,modified'

/** The same API, asked as react-admin asks. */
const dataProvider = {
  async getList(resource, { pagination, sort, filter }) {
    const { page, perPage } = pagination
    const query = new URLSearchParams({
      ...filter,
      fields: FIELDS,
      sort: sort.field,
      order: sort.order.toLowerCase(),
      limit: String(perPage),
      offset: String((page - 1) * perPage),
    })
    const response = await fetch(`/v1/${resource}?${query}`)
    const { data, meta } = await response.json()
    return { data, total: meta.total }
  },
  async getOne(resource, { id }) {
    const response = await fetch(`/v1/${resource}/${encodeURIComponent(id)}`)
    return { data: await response.json() }
  },
}

const filters = [
  <SearchInput key="q" source="q" alwaysOn />,
  <SelectInput
    key="disabled"
    source="disabled"
    choices={[
      { id: 'true', name: 'Yes' },
      { id: 'false', name: 'No' },
    ]}
  />,
]

function ItemList() {
  return (
    <List
      perPage={100}
      sort={{ field: 'modified', order: 'DESC' }}
      filters={filters}
      exporter={false}
    >
      <Datagrid rowClick={false}>
        <FunctionField
          source="item_name"
          render={({ id, item_name }) => <a href={`#/items/${id}/show`}>{item_name}</a>}
        />
        <TextField source="item_code" />
        <TextField source="item_group" />
        <NumberField source="standard_rate" />
        <TextField source="stock_uom" />
        <BooleanField source="disabled" />
        <DateField source="modified" />
      </Datagrid>
    </List>
  )
}

createRoot(document.getElementById('root')).render(
  <Admin dataProvider={dataProvider}>
    <Resource name="items" list={ItemList} />
  </Admin>,
)
