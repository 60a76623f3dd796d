-- What the payment provider told: every notification once, by the id that it carries.
create table payment_events (
  provider text collate "C" not null,
  id text collate "C" not null,
  -- SHA-256 of the body: an id comes back with the same content or not at all.
  sha256 text collate "C" not null,
  type text not null,
  reference text collate "C" not null,
  -- What it said, and what became of it; the reference's row below is the sum of its notifications.
  user_id text not null,
  server text collate "C" not null,
  amount numeric(15, 4) not null,
  currency text not null,
  result text not null,
  received_at timestamptz(3) not null,
  primary key (provider, id)
);
create index payment_events_reference on payment_events (provider, reference);

-- One row a payment. It outlives server and user, so it refers to neither.
create table payments (
  provider text collate "C" not null,
  reference text collate "C" not null,
  -- Token subject of who paid.
  user_id text not null,
  server text collate "C" not null,
  amount numeric(15, 4) not null,
  currency text not null,
  result text not null check (result in
    ('granted', 'amount_too_low', 'wrong_currency', 'free_server', 'unknown_server', 'unknown_user')),
  -- Which record of this name it was, and whose; null when there was none.
  seller text,
  server_created_at timestamptz(3),
  -- What the server cost; null when there was none or it was free.
  price_amount numeric(15, 4),
  price_currency text,
  -- When it was first heard of, as a payment or as a refund.
  recorded_at timestamptz(3) not null,
  -- Null while only its refund is known.
  confirmed_at timestamptz(3),
  refunded_at timestamptz(3),
  gives_right boolean not null generated always as
    (result = 'granted' and confirmed_at is not null and refunded_at is null) stored,
  primary key (provider, reference)
);
create index payments_right on payments (server, user_id) where gives_right;
create index payments_user on payments (user_id, recorded_at desc, provider, reference);
create index payments_server on payments (server, recorded_at desc, provider, reference);

-- Prices that were raised or lowered of late: who was on the way to pay one of them has paid enough.
create table former_prices (
  server text collate "C" not null references servers (name) on update cascade on delete cascade,
  currency text not null,
  amount numeric(15, 4) not null,
  until timestamptz(3) not null
);
create index former_prices_server on former_prices (server, until);

-- A trigger, so that no way of changing a record can forget it.
create function keep_former_price() returns trigger language plpgsql as $$
begin
  delete from former_prices
    where server = old.name and until < new.updated_at - interval '1 day';
  insert into former_prices (server, currency, amount, until)
    values (old.name, old.price_currency, old.price_amount, new.updated_at);
  return null;
end
$$;
create trigger servers_price_changed after update on servers for each row
  when ((old.price_currency, old.price_amount) is distinct from
    (new.price_currency, new.price_amount))
  execute function keep_former_price();
