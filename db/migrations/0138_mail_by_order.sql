-- outside a transaction
-- Mails about an order. Building the index must not stop mail.
drop index concurrently if exists mail_by_order;
create index concurrently mail_by_order on mail (order_id) where order_id is not null;
