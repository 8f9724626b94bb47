"""A customer and an order, made, listed and submitted with the generated client. Arguments: address of the workspace, key."""

import sys

from svc_client import AuthenticatedClient
from svc_client.api.crm import create_customer
from svc_client.api.sales import create_sales_order, list_sales_orders, submit_sales_order
from svc_client.models import CustomerCreate, SalesOrderCreate, SalesOrderItemCreate

address, key, item = sys.argv[1:]
with AuthenticatedClient(base_url=address, token=key) as client:
    customer = create_customer.sync(client=client, body=CustomerCreate(customer_name="Python Bikes"))
    rows = [SalesOrderItemCreate(item_code=item, qty=3, rate=12378984.61)]
    order = create_sales_order.sync(client=client, body=SalesOrderCreate(customer=customer.id, items=rows))
    page = list_sales_orders.sync(client=client, customer=customer.id)
    done = submit_sales_order.sync(order.id, client=client)
    print(page.data[0].id == order.id, done.docstatus, done.net_total)
