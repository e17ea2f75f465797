-- A shop, as one writes it for SQLite.
CREATE TABLE customers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    first_name TEXT NOT NULL,
    "last name" VARCHAR(80) NOT NULL DEFAULT '',
    email TEXT UNIQUE COLLATE NOCASE,
    is_active BOOLEAN NOT NULL DEFAULT 1,
    rating REAL CHECK (rating BETWEEN 0 AND 5),
    born DATE,
    created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    description TEXT -- a name that every object has
);
CREATE TABLE products (
    sku TEXT PRIMARY KEY,
    price DECIMAL(10, 2) NOT NULL DEFAULT 0.00,
    picture BLOB,
    full_title TEXT GENERATED ALWAYS AS (sku || '!') STORED
) WITHOUT ROWID;
CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE product_tags (
    product_sku TEXT NOT NULL REFERENCES products ON DELETE CASCADE,
    tag_id INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
    PRIMARY KEY (product_sku, tag_id)
);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    billed_to INTEGER REFERENCES customers (id) ON DELETE SET NULL,
    number INTEGER NOT NULL,
    UNIQUE (customer_id, number)
);
CREATE TABLE order_items (
    order_id INTEGER NOT NULL,
    product_sku TEXT NOT NULL,
    quantity SMALLINT NOT NULL DEFAULT 1,
    PRIMARY KEY (order_id, product_sku),
    FOREIGN KEY (order_id) REFERENCES orders (id) ON DELETE CASCADE,
    FOREIGN KEY (product_sku) REFERENCES products (sku) ON DELETE RESTRICT
);
CREATE TABLE passports (customer_id INTEGER PRIMARY KEY REFERENCES customers (id) ON DELETE CASCADE, number TEXT NOT NULL);
CREATE TABLE categories (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES categories (id), title TEXT);
CREATE INDEX by_name ON customers ("last name", first_name DESC);
CREATE INDEX lower_email ON customers (lower(email));
CREATE INDEX active ON customers (email) WHERE is_active;
CREATE VIEW active_customers AS SELECT * FROM customers WHERE is_active;
CREATE TRIGGER stamp AFTER UPDATE ON customers BEGIN
    UPDATE customers SET created_at = CASE WHEN 1 THEN 'x;y' END WHERE id = NEW.id;
    SELECT 1;
END;
INSERT INTO tags (name) VALUES ('a;b'), ('it''s');
