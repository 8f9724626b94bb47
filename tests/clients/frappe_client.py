"""Reading, writing, submitting and cancelling on surface A. Arguments: address, user, password."""

import sys

from frappeclient import FrappeClient

address, user, password = sys.argv[1:]
client = FrappeClient(address)
client.login(user, password)
customer = client.insert({"doctype": "Customer", "customer_name": "Frappe Bikes"})
item = {"item_code": "BELL", "qty": 3, "rate": 12378984.61}
order = client.insert({"doctype": "Sales Order", "customer": customer["name"], "items": [item]})
listed = client.get_list("Sales Order", fields=["name"], filters={"customer": customer["name"]})
read = client.get_doc("Sales Order", order["name"])
client.set_value("Customer", customer["name"], "website", "https://frappe.example")
changed = client.get_value("Customer", "website", {"name": customer["name"]})
customer["customer_details"] = "By update"
client.update({"doctype": "Customer", "name": customer["name"], "customer_details": "By update"})
client.submit(read)
done = client.get_doc("Sales Order", order["name"])
print(listed[0]["name"] == order["name"], done["docstatus"], done["net_total"])
client.cancel("Sales Order", order["name"])
client.delete("Sales Order", order["name"])
print(changed["website"], client.get_list("Sales Order", filters={"customer": customer["name"]}))
