"""Twelve tools, a life of a document and three refusals over stdio. Arguments: node, the command, address, key."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

node, command, address, key = sys.argv[1:]


async def main() -> None:
    env = {"SVC_API_BASE": address, "SVC_API_KEY": key}
    server = StdioServerParameters(command=node, args=[command, "mcp"], env=env)
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        tools = [tool.name for tool in (await session.list_tools()).tools]
        resources = [str(one.uri) for one in (await session.list_resources()).resources]

        async def call(name: str, **arguments):
            answer = await session.call_tool(name, arguments)
            text = answer.content[0].text
            is_error = getattr(answer, "isError", None) or getattr(answer, "is_error", False)
            return bool(is_error), json.loads(text) if text.startswith("{") else text

        _, customer = await call("create_record", resource="customers", data={"customer_name": "MCP Bikes"})
        items = [{"item_code": "BELL", "qty": 3, "rate": 12378984.61}]
        data = {"customer": customer["id"], "items": items}
        _, order = await call("create_record", resource="sales-orders", data=data)
        _, page = await call("list_records", resource="sales-orders", filter={"customer": customer["id"]})
        _, done = await call("submit_record", resource="sales-orders", id=order["id"])
        refused = [
            (await call("get_record", resource="customers", id="nobody"))[0],
            (await call("create_record", resource="customers", data={}))[0],
            (await call("submit_record", resource="sales-orders", id=order["id"]))[0],
        ]
        print(len(tools), len(resources), refused)
        print(page["data"][0]["id"] == order["id"], done["docstatus"], done["net_total"])


asyncio.run(main())
