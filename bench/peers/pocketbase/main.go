// The peer: PocketBase as its module ships it, with one collection that has the fields and indexes of
// bench/peers/bench-item.yaml. Nothing of its settings is changed: SQLite at NORMAL durability, requests logged to
// its second database for five days, no rate limit.
//
//	pocketbase fill ITEMS.jsonl --dir DATA   makes the collection and its records, prints a token
//	pocketbase serve --dir DATA              serves on a free port, prints which
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"os"
	"time"

	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
	"github.com/spf13/cobra"
)

func main() {
	app := pocketbase.NewWithConfig(pocketbase.Config{HideStartBanner: true})
	app.OnServe().BindFunc(listen)
	app.RootCmd.AddCommand(&cobra.Command{
		Use:  "fill ITEMS.jsonl",
		Args: cobra.ExactArgs(1),
		Run: func(_ *cobra.Command, args []string) {
			token, err := fill(app, args[0])
			if err != nil {
				log.Fatal(err)
			}
			fmt.Println(token)
		},
	})
	if err := app.Start(); err != nil {
		log.Fatal(err)
	}
}

func listen(event *core.ServeEvent) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	event.Listener = listener
	if err := event.Next(); err != nil {
		return err
	}
	fmt.Printf("listening on http://%s\n", listener.Addr())
	return nil
}

func fill(app core.App, file string) (string, error) {
	if err := app.RunAllMigrations(); err != nil {
		return "", err
	}
	items := itemsCollection()
	if err := app.Save(items); err != nil {
		return "", err
	}
	err := app.RunInTransaction(func(tx core.App) error { return addItems(tx, items, file) })
	if err != nil {
		return "", err
	}
	// svc's tables are counted for the planner too.
	if _, err := app.DB().NewQuery("analyze").Execute(); err != nil {
		return "", err
	}
	return superuserToken(app)
}

// Without API rules a collection is open to superusers alone, who pay for no rules either: as svc's admin key.
func itemsCollection() *core.Collection {
	items := core.NewBaseCollection("items")
	items.Fields.Add(
		&core.TextField{Name: "item_code", Required: true},
		&core.TextField{Name: "item_name", Required: true},
		&core.TextField{Name: "item_group"},
		&core.TextField{Name: "stock_uom"},
		&core.TextField{Name: "brand"},
		&core.TextField{Name: "description"},
		&core.NumberField{Name: "standard_rate", Min: types.Pointer(0.0)},
		&core.BoolField{Name: "is_stock_item"},
		&core.AutodateField{Name: "created", OnCreate: true},
		&core.AutodateField{Name: "modified", OnCreate: true, OnUpdate: true},
	)
	items.AddIndex("ux_items_item_code", true, "item_code", "")
	items.AddIndex("ix_items_modified", false, "modified", "")
	items.AddIndex("ix_items_created", false, "created", "")
	items.AddIndex("ix_items_item_name", false, "item_name, modified", "")
	items.AddIndex("ix_items_item_group", false, "item_group, modified", "")
	items.AddIndex("ix_items_standard_rate", false, "standard_rate, modified", "")
	return items
}

func addItems(app core.App, items *core.Collection, file string) error {
	lines, err := os.Open(file)
	if err != nil {
		return err
	}
	defer lines.Close()
	scanner := bufio.NewScanner(lines)
	for scanner.Scan() {
		var values map[string]any
		if err := json.Unmarshal(scanner.Bytes(), &values); err != nil {
			return err
		}
		modified, err := types.ParseDateTime(values["modified"])
		if err != nil {
			return err
		}
		record := core.NewRecord(items)
		record.Load(values)
		record.SetRaw("created", modified)
		record.SetRaw("modified", modified)
		if err := app.Save(record); err != nil {
			return err
		}
	}
	return scanner.Err()
}

func superuserToken(app core.App) (string, error) {
	superusers, err := app.FindCollectionByNameOrId(core.CollectionNameSuperusers)
	if err != nil {
		return "", err
	}
	superuser := core.NewRecord(superusers)
	superuser.SetEmail("bench@example.com")
	superuser.SetRandomPassword()
	if err := app.Save(superuser); err != nil {
		return "", err
	}
	return superuser.NewStaticAuthToken(24 * time.Hour)
}
