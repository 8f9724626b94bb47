import java.util.List;
import java.util.Locale;
import svc.ApiClient;
import svc.api.CrmApi;
import svc.api.SalesApi;
import svc.model.CustomerCreate;
import svc.model.SalesOrderCreate;
import svc.model.SalesOrderFilters;
import svc.model.SalesOrderItemCreate;
import svc.model.SubmittableFilters;

/** A customer and an order, made, listed and submitted with the generated client. Arguments: address of the workspace, key, item. */
public class Sale {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(args[0]);
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + args[1]));
    CrmApi crm = new CrmApi(client);
    SalesApi sales = new SalesApi(client);
    CustomerCreate newCustomer = new CustomerCreate().customerName("Java Bikes");
    var customer = crm.createCustomer(CrmApi.APICreateCustomerRequest.newBuilder().customerCreate(newCustomer).build());
    var row = new SalesOrderItemCreate().itemCode(args[2]).qty(3.0).rate(12378984.61);
    var newOrder = new SalesOrderCreate().customer(customer.getId()).items(List.of(row));
    var order = sales.createSalesOrder(SalesApi.APICreateSalesOrderRequest.newBuilder().salesOrderCreate(newOrder).build());
    // Both objects of filters have to be there: the generated code reads them without asking.
    var asked = SalesApi.APIListSalesOrdersRequest.newBuilder()
        .customer(customer.getId())
        .status("Draft")
        .filters(new SubmittableFilters())
        .suffixed(new SalesOrderFilters().grandTotalGt(1.0))
        .build();
    var page = sales.listSalesOrders(asked);
    var done = sales.submitSalesOrder(SalesApi.APISubmitSalesOrderRequest.newBuilder().id(order.getId()).build());
    boolean isListed = page.getData().get(0).getId().equals(order.getId());
    System.out.println(isListed + " " + done.getDocstatus() + " " + String.format(Locale.ROOT, "%.2f", done.getNetTotal()));
  }
}
