// A customer and an order, made, listed and submitted with the generated client. Arguments: address of the workspace, key, item.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	svc "example.com/client"
)

func main() {
	address, key, item := os.Args[1], os.Args[2], os.Args[3]
	ctx := context.Background()
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	client, err := svc.NewClientWithResponses(address, svc.WithRequestEditorFn(withKey))
	check(err)
	customer, err := client.CreateCustomerWithResponse(ctx, nil, svc.CustomerCreate{CustomerName: "Go Bikes"})
	check(err)
	rate := 12378984.61
	rows := []svc.SalesOrderItemCreate{{ItemCode: &item, Qty: 3, Rate: &rate}}
	body := svc.SalesOrderCreate{Customer: *customer.JSON201.Id, Items: rows}
	order, err := client.CreateSalesOrderWithResponse(ctx, nil, body)
	check(err)
	page, err := client.ListSalesOrdersWithResponse(ctx, &svc.ListSalesOrdersParams{Customer: customer.JSON201.Id})
	check(err)
	done, err := client.SubmitSalesOrderWithResponse(ctx, *order.JSON201.Id, nil)
	check(err)
	fmt.Println(*page.JSON200.Data[0].Id == *order.JSON201.Id, *done.JSON200.Docstatus, fmt.Sprintf("%.2f", *done.JSON200.NetTotal))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
