-- What finance takes away from an order as its payment stays known, also where the order stays open; and a proposal to complete
-- an order ends when nobody confirms it in time.

alter type order_step_kind add value 'transaction_taken';
alter type order_step_kind add value 'completion_lapsed';
