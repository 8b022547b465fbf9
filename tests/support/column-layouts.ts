/*
 * Layouts of yards' files: the columns with their names and, behind “>”, what they contain (`column-cells.ts`). None is
 * the export of a real yard; names and mixtures are those that yard programs, shops and people use.
 */

export type ColumnLayout = { layout: string; columns: string }

export const columnLayouts: readonly ColumnLayout[] = [
  {
    layout: 'Hollander inventory',
    columns:
      'STOCKNUM > stock | YEAR > year | MAKE > make | MODEL > model | PARTTYPE > typecode | PARTDESC > alias | INTERCHANGE > interchange | OEMNUM > oem | GRADE > grade | MILES > miles | RETAIL > price | WHOLESALE > wholesale | COST > cost | CORE > core | VIN > vin | BIN > bin | DATEIN > date | NOTES > finding',
  },
  {
    layout: 'Pinnacle inventory',
    columns:
      'InventoryID > stockrun | Part Code > typecode | Part Type > alias | ModelYear > year | Make > make | Model > model | Interchange # > interchange | OEM Number > oem | Condition > grade | Mileage > milescomma | List Price > list | Sale Price > price | Core > core | Location > bin | Status > status | Comments > finding',
  },
  {
    layout: 'Checkmate parts',
    columns:
      'Veh Stock # > stockdash | Part > part | Yr > year | Make > make | Model > model | Asking > price | Cond > gradeplus | Miles > milesk | Interchange > interchange | Loc > bin | Damage > damage | Description > finding | StateCode > state',
  },
  {
    layout: 'car-part.com upload with names',
    columns:
      'PartTypeNbr > typecode | Year > year | Model > model | Make > make | HollanderNbr > interchange | L/R > sidecode | Condition Code > damage | Grade > grade | Mileage > thousands | Retail > price | Stock Number > stock | VIN > vin | Part Description > part | OEM Part Nbr > oem',
  },
  {
    layout: 'Powerlink report',
    columns:
      'Tag # > stock | Yr > year | Make > make | Model > model | Part Name > alias | Grd > grade | Odometer > miles | Price > price | Core Chg > core | Row > row | Body Color > color | OEM No. > oem | Conditions & Options > finding',
  },
  {
    layout: 'DMS overstock',
    columns:
      'PART NO > oem | DESCRIPTION > part | APPLICATION > application | SRC > source | BIN > bin | QOH > onhand | LIST > list | SALE PRICE > price | COST > cost | CORE > core | LAST SOLD > date | BSL > zero',
  },
  {
    layout: 'DMS with net price',
    columns:
      'Part # > oem | Desc > part | Make > make | Model > model | Year > year | Bin Loc > bin | On Hand > onhand | MSRP > list | Net Price > price | Dealer Cost > cost | Core Value > core | Reorder Pt > reorder | Last Sale > date',
  },
  {
    layout: 'internet price beside list',
    columns:
      'SKU > sku | Part Title > title | Year > year | Make > make | Model > model | List > list | Internet Price > price | Qty > quantity | Photo > picture | Zip > zip',
  },
  {
    layout: 'shop with your price',
    columns:
      'Item # > sku | Item > part | Yr > year | Mk > make | Mdl > model | Retail Price > list | Your Price > price | You Save > tax | Qty Avail > quantity | Image > picture | City > city | State > state',
  },
  {
    layout: 'regular beside sale',
    columns:
      'ID > recordid | SKU > sku | Name > title | Published > flag | Stock > quantity | Sale price > price | Regular price > regularprice | Categories > path | Images > picture | Make > make | Model > model | Year > year',
  },
  {
    layout: 'Shopify with fields',
    columns:
      'Handle > handle | Title > title | Body (HTML) > html | Vendor > make | Type > type | Tags > tags | Published > truth | Option1 Value > default | Variant SKU > sku | Variant Grams > weight | Variant Inventory Qty > quantity | Variant Price > price | Variant Compare At Price > regularprice | Image Src > picture | Cost per item > cost | Status > active | Year > year | Model > model',
  },
  {
    layout: 'Shopify of a yard',
    columns:
      'Handle > handle | Title > title | Body (HTML) > html | Vendor > dealer | Type > type | Published > truth | Variant SKU > sku | Variant Inventory Qty > quantity | Variant Price > price | Variant Taxable > truth | Image Src > picture | Gift Card > flag | SEO Title > title2 | Cost per item > cost | Status > active',
  },
  {
    layout: 'Square catalog',
    columns:
      'Token > itemid | Item Name > title | Variation Name > regular | SKU > sku | Description > finding | Category > type | Price > price | Current Quantity Main Yard > quantity | Sellable > yesno | Archived > yesno | Default Unit Cost > cost',
  },
  {
    layout: 'Square with sale price',
    columns:
      'Reference Handle > handle | Item Name > part | Variation Name > regular | SKU > sku | Categories > group | Price > regularprice | Online Sale Price > price | Stockable > yesno | New Quantity > quantity | Weight (lb) > weight | Year > year | Make > make | Model > model',
  },
  {
    layout: 'Magento products',
    columns:
      'sku > sku | product_type > typeword | categories > path | name > title | product_online > online | price > price | cost > cost | qty > quantity | is_in_stock > flag | weight > weight | additional_attributes > plain | base_image > picture',
  },
  {
    layout: 'Magento with a special price',
    columns:
      'sku > sku | name > title | status > online | visibility > zero | price > regularprice | special_price > price | msrp > list | qty > quantity | manufacturer > make | model > model | year > year | short_description > finding | image > picture',
  },
  {
    layout: 'eBay report',
    columns:
      'Item number > itemid | Title > title | Custom label (SKU) > sku | Available quantity > quantity | Format > typeword | Currency > dollars | Start price > price | Reserve price > minimum | Condition > used | Watchers > visited | Make > make | Model > model | Year > year | Manufacturer Part Number > oem',
  },
  {
    layout: 'eBay with notes',
    columns:
      'ItemID > itemid | Title > title | CustomLabel > stock | ConditionDescription > finding | Condition > usedwords | BuyItNowPrice > price | Best Offer Min > minimum | Quantity > quantity | PicURL > picture | C:Brand > make | C:Model > model | C:Year > years | C:Interchange Part Number > interchange | C:Placement on Vehicle > sideword',
  },
  {
    layout: 'QuickBooks items',
    columns:
      'Item > stock | Description > part | Type > typeword | Cost > cost | Price > price | Qty On Hand > onhand | Preferred Vendor > buyer | Reorder Pt (Min) > reorder | MPN > oem | Year > year | Make > make | Model > model | Account > internal2',
  },
  {
    layout: 'QuickBooks with purchase price',
    columns:
      'Product/Service Name > part | Sales Description > finding | SKU > sku | Sales Price / Rate > price | Purchase Cost > cost | Quantity On Hand > onhand | Taxable > yesno | Vehicle Year > year | Vehicle Make > make | Vehicle Model > model | Income Account > internal2',
  },
  {
    layout: 'list with purchase price',
    columns:
      'Lot > running | Stock No > stock | Part > part | Make > make | Model > model | Year > year | Purchase Price > cost | Selling Price > price | Purchase Date > date | Color > color | Notes > findingshort',
  },
  {
    layout: 'purchase before price',
    columns:
      'Part > part | Year > year | Make > make | Model > model | Purchase > cost | Asking Price > price | Bought From > buyer | Condition > gradeword | Mileage > miles | Stock > stock',
  },
  {
    layout: 'Canadian yard',
    columns:
      'Stock > stock | Year > year | Make > make | Model > model | Part > part | Odometer (km) > km | Price (CAD) > cad | Price (USD) > price | Status > status | Date Sold > datesold | Postal Code > zip',
  },
  {
    layout: 'two currencies',
    columns:
      'Stk > stockrun | Part Name > alias | Year > year | Make > make | Model > model | US Price > price | CDN Price > cad | Kms > km | Prov > state | City > city | Phone > phone',
  },
  {
    layout: 'Mexican yard',
    columns:
      'Folio > stockdash | Marca > make | Modelo > model | Año > year | Refacción > pieza | No. de parte > oem | Condición > calidad | Kilometraje > km | Precio > pesos | Placas > plates | Ciudad > city | Estado > state | Observaciones > observaciones',
  },
  {
    layout: 'Spanish parts list',
    columns:
      'Inventario > stock | Pieza > pieza | Lado > lado | Marca > make | Modelo > model | Año > year | Calidad > calidad | Costo > cost | Precio de venta > price | Existencias > quantity | Ubicación > bin | Teléfono > phone | Notas > observaciones',
  },
  {
    layout: 'Spanish with a minimum',
    columns:
      'Código > stock | Descripción > pieza | Marca > make | Modelo > model | Años > years | Precio público > price | Precio mayoreo > wholesale | Cantidad > quantity | VIN > vin | Foto > picture | Observaciones > observaciones',
  },
  {
    layout: 'German list',
    columns:
      'Lagernummer > stock | Teil > teil | Marke > make | Modell > model | Baujahr > year | Teilenummer > oem | Zustand > gradeword | Kilometerstand > km | VK-Preis > preis | EK-Preis > kosten | Menge > quantity | Lagerort > bin | Bemerkung > bemerkung',
  },
  {
    layout: 'German shop',
    columns:
      'Artikelnummer > sku | Bezeichnung > teil | Hersteller > make | Modell > model | Bj. > year | OE-Nummer > oem | Preis (EUR) > preis | Einkaufspreis > kosten | Bestand > quantity | Seite > seite | Versandkosten > freightwords | Bild > picture | PLZ > zip',
  },
  {
    layout: 'Quebec yard',
    columns:
      'No inventaire > stock | Pièce > piece | Côté > cote | Année > year | Marque > make | Modèle > model | No pièce > oem | Kilométrage > km | Prix > preis | Prix coûtant > kosten | Qté > quantity | Ville > city | Remarques > remarques',
  },
  {
    layout: 'French breaker',
    columns:
      'Référence interne > sku | Désignation > piece | Marque > make | Modèle > model | Millésime > year | Réf. OEM > oem | Prix de vente > preis | Prix d’achat > kosten | Quantité > quantity | État > gradeword | Code postal > zip | Commentaires > remarques',
  },
  {
    layout: 'engines and transmissions',
    columns:
      'Stk > stockdash | E/T > typeword2 | Years > shortyears | Vehicle > vehicle | Code / Size > engine | Price > price | Miles > milesk | Gr > grade | Core > coretext | Warr > warrantyword | Part No > oem | VIN 8th > row',
  },
  {
    layout: 'transmissions by code',
    columns:
      'Unit # > stock | Make > make | Model > model | Yr > year | Trans Code > engine | Type > alias | Miles > milescomma | Cash Price > price | Core Deposit > core | Warranty Days > warranty | VIN > vin',
  },
  {
    layout: 'car-part.com upload',
    columns:
      'A > typecode | B > year | C > vehicle | D > interchange | E > sidecode | F > grade | G > damage | H > thousands | I > price | J > stockdash | K > oem | L > part | M > vin',
  },
  {
    layout: 'typed list',
    columns: 'what > part | car > vehicle | how much > price | phone > phone | where > city',
  },
  {
    layout: 'tow yard list',
    columns:
      '# > running | Part > part | Make > make | Model > model | Year > year | Price $ > price | Side > side | Miles > miles | Town > city | ST > state | Call > phonebracket | Pic > picture | Remarks > findingshort',
  },
  {
    layout: 'small spreadsheet',
    columns:
      'Part Name > alias | Category > type | Make > make | Model > model | Year > year | $ > price | Condition > gradeword | Part No > oemgaps | Details > finding | Photo Link > picture | Shipping > freightwords',
  },
  {
    layout: 'chain of yards',
    columns:
      'yard_id > visited | yard_name > dealer | yard_city > city | yard_state > state | yard_zip > zip | yard_phone > phone | stock_no > stock | veh_year > year | veh_make > make | veh_model > model | veh_vin > vin | part_name > part | part_grade > grade | odometer > miles | retail_price > price | wholesale_price > wholesale | date_in > date',
  },
  {
    layout: 'dismantler database',
    columns:
      'id > recordid | created_at > date | inventory_number > stock | category_name > group | part_title > title | manufacturer > make | model_name > model | model_year > year | oem_number > oem | interchange_number > interchange | unit_cost > cost | sell_price > price | min_price > minimum | quantity > quantity | image_url > picture | dealer_phone > phone',
  },
  {
    layout: 'auction buyer',
    columns:
      'Stock # > stock | VIN > vin | Year > year | Make > make | Model > model | Trim > trim | Part > part | Auction Cost > cost | Price > price | Row > row | Mileage > miles | Color > color | Zip Code > zip | Seller > dealer',
  },
  {
    layout: 'price levels',
    columns:
      'Stock # > stock | Part Type > alias | Year > year | Make > make | Model > model | Retail > price | Wholesale > wholesale | Jobber > minimum | Grade > grade | Side > side | Warranty > warranty | Dealer > dealer | Phone > phone',
  },
  {
    layout: 'list, net, core',
    columns:
      'Part Number > oem | Part Name > part | Make > make | Model > model | Year > year | List Price > list | Net > price | Core > core | Qty > onhand | Stock > stock | Side > sideword',
  },
  {
    layout: 'core before price',
    columns:
      'Tag > stock | Component > alias | Vehicle Year > year | Vehicle Make > make | Vehicle Model > model | Core Price > core | Our Cost > cost | Our Price > price | Grade > gradeplus | Odo > miles | Yard Notes > internal | Photos > picture',
  },
  {
    layout: 'prices with tax',
    columns:
      'Stock > stock | Item > part | Year > year | Make > make | Model > model | Price (before tax) > price | Tax > tax | Total with tax > list | Qty > quantity | Telephone > phonebracket | Fax > fax | Email > email',
  },
  {
    layout: 'eBay and web price',
    columns:
      'Inv # > stock | Title > title | Year > year | Make > make | Model > model | Web Price > price | eBay Price > list | Cost > cost | Location > bin | Description > finding | Interchange > interchange | Image 1 > picture',
  },
  {
    layout: 'insurance quotes',
    columns:
      'Part > part | Side > sideword | Year > year | Make > make | Model > model | Hollander No > interchange | Ins. Price > wholesale | Retail Price > price | Grade > grade | Damage Code > damage | Stock Nbr > stock | Mileage > miles',
  },
  {
    layout: 'access table',
    columns:
      'PartID > recordid | StockNo > stock | PartName > alias | GroupName > group | VehYear > year | VehMake > make | VehModel > model | PartCond > grade | UnitPrice > price | UnitCost > cost | QtyOnHand > onhand | BuyerZip > buyerzip | Remarks > finding',
  },
  {
    layout: 'self-service yard',
    columns:
      'Row > row | Vehicle Stock > stock | Year > year | Make > make | Model > model | Item > part | Price > price | Core > core | Env. Fee > tax | Set Date > date | Available > available',
  },
  {
    layout: 'shipping included',
    columns:
      'Sku > sku | Product > part | Car Make > make | Car Model > model | Car Year > year | Price + Ship > list | Price > price | Ship Cost > freight | Weight > weight | Condition > used | Donor Mileage > milescomma | VIN > vin',
  },
  {
    layout: 'discounts',
    columns:
      'Part No > oem | Part > part | Year > year | Make > make | Model > model | Was > list | Now > price | Discount > tax | Stock No > stock | In stock > onhand | Ship From City > city | Ship From State > state',
  },
  {
    layout: 'salvage pool',
    columns:
      'Ref > recordid | Stock Number > stock | Part Category > group | Part Name > alias | MY > year | Make > make | Model > model | Submodel > trim | Price > price | Last Price > minimum | Pictures > picture | Contact Phone > phone | Location > city',
  },
  {
    layout: 'status and dates',
    columns:
      'Stock No > stock | Status > statusword | Part > part | Year > year | Make > make | Model > model | Price > price | Sold Date > datesold | Side > side | Condition > grade | Kilometers > km | Dealer Name > dealer | City > city | Zip > zip',
  },
  {
    layout: 'u-pull price list',
    columns:
      'Part > part | Part Code > typecode | Our Price > byname | Core > core | Warranty > warranty | Make > make | Model > model | Year > year',
  },
  {
    layout: 'British breaker',
    columns:
      'Stock Ref > stock | Part > part | Make > make | Model > model | Year > year | Trim Level > trim | Price inc VAT > price | Trade Price > wholesale | VAT > tax | Mileage > miles | Notes > findingshort | Postcode > zip | Tel > phone',
  },
  {
    layout: 'British with net price',
    columns:
      'Ref No > stock | Description > part | Manufacturer > make | Model > model | Year > years | Sell ex VAT > price | Buy Price > cost | Carriage > freight | Qty > quantity | Grade > grade | Image > picture | Company > dealer | Telephone > phone',
  },
  {
    layout: 'Brazilian yard',
    columns:
      'Código > stock | Peça > part | Marca > make | Modelo > model | Ano > year | Preço > price | Custo > cost | Quantidade > quantity | Cidade > city',
  },
  {
    layout: 'wheels with trims',
    columns:
      'SKU > sku | Product > part | Make > make | Model > model | Trim > trim | Year > year | MSRP > list | Special > price | Shipping > freight | VIN # > vin | Damage > damage | City > city | State > state | Zip > zip | Dealer > dealer',
  },
  {
    layout: 'front office export',
    columns:
      'StockNumber > stock | VIN > vin | ModelYr > year | Manufacturer > make | ModelName > model | TrimLevel > trim | PartDescr > alias | DamageCode > damage | WarrantyTerm > warrantyword | SellingPrice > price | SuggestedRetail > list | CoreCharge > core | ShippingCharge > freight | YardName > dealer | YardPhone > phone | YardZip > zip',
  },
  {
    layout: 'insurance with trims',
    columns:
      'Claim # > recordid | Part > part | Sub Model > trim | Make > make | Model > model | Year > year | Dealer List > list | Recycled Price > price | Freight > freight | Damage Codes > damage | Days Warranty > warranty | Recycler > dealer | Phone Number > phonebracket | City > city | ST > state | ZIP > zip | VIN Number > vin',
  },
  {
    layout: 'lowercase database',
    columns:
      'stock_id > stock | vin > vin | yr > year | mk > make | mdl > model | trim > trim | pt > typecode | descr > alias | ara_code > damage | wty > warranty | sale_amt > price | cost_amt > cost | core_amt > core | ship_amt > freight | loc_city > city | loc_state > state | loc_zip > zip | contact > dealer',
  },
  {
    layout: 'classified ads',
    columns:
      'Title > title | Price > price | Posted > date | Location > city | Postal > zip | Seller name > dealer | Contact phone > phone | Delivery > freightwords | Warranty (days) > warranty | Views > visited | Make > make | Model > model | Year > year | Trim > trim | VIN > vin',
  },
  {
    layout: 'trade and retail',
    columns:
      'Inventory # > stock | Part Name > part | Year > year | Make > make | Model > model | Trade > wholesale | Retail > price | Core Charge > core | Damage Code > damage | Warranty > warranty | Delivery Charge > freight | VIN > vin | Dealer Name > dealer | Dealer Phone > phone | Zipcode > zip | Trim > trim',
  },
  {
    layout: 'bids and reserves',
    columns:
      'Lot > running | Item > part | Make > make | Model > model | Year > year | Current Bid > cost | Reserve > minimum | Buy It Now > price | Postage > freight | Grade > grade | Damage > damage | Seller > dealer | Town > city | Zip > zip | VIN > vin',
  },
  {
    layout: 'price groups',
    columns:
      'Stock > stock | Part > part | Price Group > typecode | Year > year | Make > make | Model > model | Trim > trim | Selling > price | Damage Code > damage | Shipping $ > freight | Warranty > warranty | Yard > dealer | Phone > phone | City > city | State > state | Zip > zip | VIN > vin',
  },
  {
    layout: 'Argentine yard',
    columns:
      'Nro > stock | Repuesto > pieza | Marca > make | Modelo > model | Año > year | Precio lista > list | Precio contado > price | Costo compra > cost | Kilómetros > km | Lado > lado | Estado pieza > calidad | Localidad > city | Celular > phone',
  },
  {
    layout: 'Austrian yard',
    columns:
      'Lager-Nr. > stock | Artikel > teil | Marke > make | Typ > model | BJ > year | Km > km | UVP > kosten2 | Unser Preis > preis | Seite > seite | Zustand > gradeword | Ort > city | Tel. > phone | Anmerkung > bemerkung',
  },
  {
    layout: 'Swiss French yard',
    columns:
      'N° stock > stock | Pièce > piece | Marque > make | Modèle > model | Année > year | Prix catalogue > kosten2 | Notre prix > preis | Frais de port > freight | Quantité > quantity | Côté > cote | Téléphone > phone | Ville > city | Remarques > remarques',
  },
  {
    layout: 'competitor prices',
    columns:
      'ID > stockrun | Part Title > title | Year > year | Make > make | Model > model | Competitor Price > wholesale | Price > price | Avg Market > list | Condition > gradeword | VIN > vin | Trim > trim | Warranty Days > warranty | Ship > freight | Damage > damage | Shop > dealer | Phone > phone | Zip > zip',
  },
  {
    layout: 'yard management export',
    columns:
      'Inventory Number > stock | Part Type > alias | Category > group | Year > year | Make > make | Model > model | Trim > trim | OEM Part Number > oem | Interchange Number > interchange | Retail Price > price | Cost Basis > cost | Core Charge > core | Grade > grade | Warranty (days) > warranty | State > state | Yard Name > dealer',
  },
  {
    layout: 'web feed of a yard',
    columns:
      'id > recordid | sku > sku | title > title | category > type | brand > make | model > model | year > year | trim > trim | mpn > oem | interchange > interchange | price > price | sale_price_effective_date > date | shipping > freight | image_link > picture | state > state | seller > dealer | warranty > warranty',
  },
  {
    layout: 'sheet of a rebuilder',
    columns:
      'Unit > stock | Component > alias | Category > group | Yr > year | Make > make | Model > model | Hollander # > interchange | OEM # > oem | Exchange Price > price | Outright > list | Core > core | Warr. > warrantyword | Miles > milesk | State > state | Company Name > dealer',
  },
  {
    layout: 'trucks with cabs',
    columns:
      'Stock# > stock | Part Name > part | Part Category > type | Vehicle Make > make | Vehicle Model > model | Model Year > year | Trim > trim | OEM No > oem | Intch > interchange | Net Amount > price | Gross Amount > list | Core Amt > core | Dmg > damage | St. > state | Warranty Term > warranty | Dealer > dealer',
  },
  {
    layout: 'consignment',
    columns:
      'Consignor > buyer | Stock ID > stock | Part > part | Type of Part > group | Make > make | Model > model | Year > year | Part # > oem | Hollander Interchange > interchange | Payout > cost | Tag Price > price | Dep. > core | Damage > damage | Trim > trim | ST > state | Yard > dealer',
  },
  {
    layout: 'store prices',
    columns:
      'Item Code > sku | Product Name > part | Product Category > type | Fits Make > make | Fits Model > model | Fits Year > years | Manufacturer Part # > oem | Interchange > interchange | Store Price > price | Warehouse Price > wholesale | Wt > weight | Trim > trim | Ship Cost > freight | Province > state | Sold By > dealer',
  },
  {
    layout: 'old report with abbreviations',
    columns:
      'STK# > stockrun | DESC > part | CAT > group | YR > year | MK > make | MDL > model | OEM > oem | INTCH# > interchange | RTL > price | WHSL > wholesale | CST > cost | CORE > core | GRD > grade | MI > miles | ST > state | WAR > warranty',
  },
  {
    layout: 'prices with a change',
    columns:
      'Stock > stock | Part Name > part | Group > group | Make > make | Model > model | Year > year | Old Price > list | New Price > price | Changed On > date | OEM Number > oem | Interchange No. > interchange | Damage Code > damage | Warranty > warranty | Trim > trim | State > state | Dealer > dealer',
  },
  {
    layout: 'Spanish with IVA',
    columns:
      'Clave > stock | Refacción > pieza | Categoría > group | Marca > make | Modelo > model | Año > year | Versión > trim | Número de parte > oem | Precio sin IVA > price | Precio con IVA > list | Costo > cost | Garantía > warranty | Estado > state | Vendedor > dealer',
  },
  {
    layout: 'German with net price',
    columns:
      'Artikel-Nr. > stock | Ersatzteil > teil | Kategorie > group | Marke > make | Modell > model | Jahr > year | OE-Nr. > oem | Preis netto > kosten | Preis brutto > preis | Pfand > core | Versand > freight | Zustand > gradeword | Bundesland > state | Anbieter > dealer',
  },
  {
    layout: 'offers and counteroffers',
    columns:
      'Stock No. > stock | Part Name > alias | Part Group > group | Vehicle Year > year | Vehicle Make > make | Vehicle Model > model | OEM > oem | Interchange > interchange | Asking Price > price | Highest Offer > wholesale | Trim Level > trim | Damage > damage | State > state | Recycler Name > dealer',
  },
  {
    layout: 'price per unit',
    columns:
      'Part Num > oem | Part Desc > part | Part Cat > type | Mfr > make | Model > model | Yr > year | Intchg > interchange | Unit Price > price | Ext. Price > list | Unit Cost > cost | Qty > quantity | Trim > trim | Wty Days > warranty | State > state | Seller Name > dealer',
  },
  {
    layout: 'false friends of a shop',
    columns:
      'SKU > sku | Name > person | Item > part | Brand > supplier | Make > make | Model > model | Year > year | Condition > usedmix | Price > price | Stock > onhand | Deposit > flag | Returns > yesno',
  },
  {
    layout: 'false friends of an auction',
    columns:
      'Lot > running | Title > titlestatus | Part > part | Year > year | Make > make | Model > model | Trim > color | ST > status | High Bid > cost | Price > price | Position > running | Type > typeword | Mileage > miles',
  },
  {
    layout: 'warehouse without a price',
    columns:
      'Part # > oem | Part > part | Yard > yardcode | Where > bin | Make > make | Model > model | Year > year | List > list | Cost > cost | Qty > quantity | Grade > row | Rating > visited',
  },
  {
    layout: 'costs alone',
    columns:
      'Stock > stock | Part > part | Make > make | Model > model | Year > year | Cost > cost | Core > core | Wholesale > wholesale | Condition > used | Options > findingshort',
  },
  {
    layout: 'supplier as manufacturer',
    columns:
      'Part No > oem | Manufacturer > supplier | Part Name > part | Vehicle Make > make | Vehicle Model > model | Year > year | Regular Price > regularprice | Online Price > price | Version > running | Loc > bin | Vendor > person',
  },
  {
    layout: 'money without the price',
    columns:
      'Stock # > stock | Part > part | Make > make | Model > model | Year > year | Tax > tax | Core Charge > core | Purchase Price > cost | Seller > person | Zip > buyerzip | Date > date | Miles > milescomma',
  },
  {
    layout: 'one Canadian price',
    columns:
      'Stock > stock | Part > part | Make > make | Model > model | Year > year | Price (CAD) > cadalone | Cost (CAD) > cost | Core (CAD) > core | Kms > km | Company > supplier | Class > grade2 | Prov > state',
  },
  {
    layout: 'prices by condition',
    columns:
      'Stock # > stock | Part > part | Make > make | Model > model | Year > year | Used Price > price | New Price > list | Rebuilt Price > regularprice | Condition > usedwords | Rank > running | Store > yardcode | Warranty > yesno',
  },
  {
    layout: 'BigCommerce',
    columns:
      'Item Type > typeword | Product ID > recordid | Product Name > title | Product Code/SKU > sku | Brand Name > make | Product Description > html | Price > regularprice | Cost Price > cost | Retail Price > list | Sale Price > price | Product Weight > weight | Current Stock Level > quantity | Category > path | Product Image File - 1 > picture | Year > year | Model > model',
  },
  {
    layout: 'PrestaShop',
    columns:
      'Product ID > recordid | Active (0/1) > flag | Name * > title | Categories (x,y,z...) > path | Price tax excluded > price | Tax rules ID > flag | Wholesale price > wholesale | On sale (0/1) > zero | Reference # > sku | Supplier > supplier | Manufacturer > make | Quantity > quantity | Image URLs (x,y,z...) > picture | Model > model | Year > year',
  },
  {
    layout: 'Wix',
    columns:
      'handleId > handle | fieldType > typeword | name > title | description > html | productImageUrl > picture | sku > sku | ribbon > regular | price > price | surcharge > zero | visible > truth | discountValue > zero | inventory > quantity | weight > weight | cost > cost | brand > make',
  },
  {
    layout: 'Amazon',
    columns:
      'item-name > title | listing-id > recordid | seller-sku > sku | price > price | minimum-seller-allowed-price > minimum | quantity > quantity | open-date > date | item-note > findingshort | item-condition > used | asin1 > itemid | brand > supplier | fulfillment-channel > default',
  },
  {
    layout: 'Lightspeed',
    columns:
      'System ID > recordid | Item > part | Make > make | Model > model | Year > year | Vendor ID > visited | Qty. > quantity | Price > price | MSRP > list | Default Cost > cost | Avg. Cost > cost | Category > group | Archived > yesno | Custom SKU > sku',
  },
  {
    layout: 'Clover',
    columns:
      'Clover ID > itemid | Name > title | Price > price | Price Type > typeword | Price Unit > zero | Tax Rates > default | Cost > cost | Product Code > sku | SKU > stock | Quantity > quantity | Hidden > yesno | Non-revenue item > yesno',
  },
  {
    layout: 'catalog for advertising',
    columns:
      'id > sku | title > title | description > finding | availability > statusword | condition > used | price > priceusd | link > page | image_link > picture | brand > make | google_product_category > default | quantity_to_sell_on_facebook > quantity | vehicle_model > model | vehicle_year > year | color > color',
  },
  {
    layout: 'Etsy-like shop',
    columns:
      'TITLE > title | DESCRIPTION > finding | PRICE > price | CURRENCY_CODE > dollars | QUANTITY > quantity | TAGS > tags | MATERIALS > color | IMAGE1 > picture | SKU > sku | MAKE > make | MODEL > model | YEAR > year',
  },
  {
    layout: 'Odoo',
    columns:
      'Internal Reference > sku | Name > part | Sales Price > price | Cost > cost | Product Category > path | Quantity On Hand > onhand | Forecasted Quantity > reorder | Unit of Measure > default | Vehicle Make > make | Vehicle Model > model | Vehicle Year > year | Barcode > itemid',
  },
  {
    layout: 'Zoho',
    columns:
      'Item ID > recordid | Item Name > part | SKU > sku | Selling Price > price | Purchase Rate > cost | Stock On Hand > onhand | Reorder Level > reorder | Preferred Vendor > supplier | Status > active | Make > make | Model > model | Year > year | Usage unit > default',
  },
  {
    layout: 'recycler with loss report',
    columns:
      'Stk Num > stock | Veh Yr > year | Veh Make > make | Veh Model > model | Part Desc > alias | Part Cond > grade | Yard Loc > bin | Orig Cost > cost | Book Value > list | Tag Price > price | Date Inv > date | Days In Inv > visited',
  },
  {
    layout: 'counter sheet',
    columns:
      'Ticket > stock | Yr/Make/Model > vehicle | Item > part | Qty > quantity | Our $ > price | Their $ > list | Core $ > core | Initials > row | Phone > phone',
  },
  {
    layout: 'radiator wholesaler',
    columns:
      'DPI # > stockrun | Years > years | Make > make | Model > model | OEM > oem | Jobber > wholesale | Retail > price | Stock > onhand | Wt. > weight',
  },
  {
    layout: 'engine importer',
    columns:
      'Engine Code > engine | Make > make | Model > model | Year From > year | Year To > lastyear | Mileage (K) > thousands | FOB > cost | Delivered > list | Sell > price | Warranty (mo) > warranty | Stock ID > stock',
  },
  {
    layout: 'body shop supplier',
    columns:
      'Part Number > oem | Part Description > part | Vehicle > vehicle | Our Cost > cost | List Price > list | Selling Price > price | Bin > bin | OH > onhand',
  },
  {
    layout: 'French export',
    columns:
      'Code article > sku | Libellé > piece | Marque véhicule > make | Modèle véhicule > model | Année > year | Prix TTC > preis | Prix HT > kosten | Stock > quantity | Emplacement > bin | Kilométrage > km',
  },
  {
    layout: 'Chilean yard',
    columns:
      'SKU > sku | Producto > pieza | Marca > make | Modelo > model | Año > year | Precio normal > list | Precio oferta > price | Stock > quantity | Comuna > city | Teléfono > phone',
  },
  {
    layout: 'Polish yard',
    columns:
      'Nr > stock | Część > part | Marka > make | Model > model | Rok > year | Cena > price | Koszt > cost | Ilość > quantity | Przebieg > km | Opis > findingshort',
  },
]
