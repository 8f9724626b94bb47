//! A customer and an order, made, listed and submitted with the generated client. Arguments: address of the workspace, key, item.

use svc::apis::configuration::Configuration;
use svc::apis::{crm_api, sales_api};
use svc::models::{CustomerCreate, SalesOrderCreate, SalesOrderItemCreate};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let client = Configuration {
        base_path: args[1].clone(),
        bearer_access_token: Some(args[2].clone()),
        ..Configuration::default()
    };
    let new = CustomerCreate { customer_name: "Rust Bikes".into(), ..Default::default() };
    let customer = crm_api::create_customer(&client, new, None, None).unwrap();
    let row = SalesOrderItemCreate {
        item_code: Some(Some(args[3].clone())),
        qty: 3.0,
        rate: Some(Some(12378984.61)),
        ..Default::default()
    };
    let new = SalesOrderCreate { customer: customer.id.clone(), items: vec![row], ..Default::default() };
    let order = sales_api::create_sales_order(&client, new, None, None).unwrap();
    // What is not asked for is None, in the order of the description.
    let page = sales_api::list_sales_orders(
        &client, Some(20), None, None, None, None, None, None, None, None, None,
        Some(&customer.id), None, None, None, None, None, None, None, Some("Draft"), None, None,
    )
    .unwrap();
    let done = sales_api::submit_sales_order(&client, &order.id, None, None, None).unwrap();
    let is_listed = page.data[0].id.as_ref() == Some(&order.id);
    println!("{} {} {:.2}", is_listed, done.docstatus, done.net_total);
}
