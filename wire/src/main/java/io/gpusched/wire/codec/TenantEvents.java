package io.gpusched.wire.codec;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.PolicyCause;
import io.gpusched.wire.proto.JournalProto;

import java.time.Instant;

/// Converts events of tenants, services, prices and the scheduler itself.
final class TenantEvents {
    private final NameInterner nameInterner;
    private final TenantCodec tenants;

    TenantEvents(NameInterner nameInterner) {
        this.nameInterner = nameInterner;
        this.tenants = new TenantCodec(nameInterner);
    }

    static JournalProto.TenantPut encode(Event.TenantPut e) {
        return JournalProto.TenantPut.newBuilder()
                .setTenant(TenantCodec.encode(e.tenant()))
                .setBy(e.by())
                .build();
    }

    Event decode(Instant at, JournalProto.TenantPut from) {
        return new Event.TenantPut(
                at, tenants.decode(from.getTenant()), nameInterner.text(from.getBy()));
    }

    static JournalProto.TenantRemoved encode(Event.TenantRemoved e) {
        return JournalProto.TenantRemoved.newBuilder()
                .setTenant(e.tenant().name())
                .setBy(e.by())
                .build();
    }

    Event decode(Instant at, JournalProto.TenantRemoved from) {
        return new Event.TenantRemoved(
                at, nameInterner.tenant(from.getTenant()), nameInterner.text(from.getBy()));
    }

    static JournalProto.MarketChanged encode(Event.MarketChanged e) {
        return JournalProto.MarketChanged.newBuilder()
                .setMarket(TenantCodec.encode(e.market()))
                .build();
    }

    static Event decode(Instant at, JournalProto.MarketChanged from) {
        return new Event.MarketChanged(at, TenantCodec.decode(from.getMarket()));
    }

    static JournalProto.EngineStarted encode(Event.EngineStarted e) {
        return JournalProto.EngineStarted.newBuilder()
                .setTerm(e.term())
                .setBuild(e.build())
                .setFingerprint(e.fingerprint())
                .setLedger(e.ledger())
                .build();
    }

    static Event decode(Instant at, JournalProto.EngineStarted from) {
        return new Event.EngineStarted(
                at, from.getTerm(), from.getBuild(), from.getFingerprint(), from.getLedger());
    }

    static JournalProto.LeaseBound encode(Event.LeaseBound e) {
        return JournalProto.LeaseBound.newBuilder()
                .setLeaseNanos(TimeCodec.nanos(e.lease()))
                .build();
    }

    static Event decode(Instant at, JournalProto.LeaseBound from) {
        return new Event.LeaseBound(at, TimeCodec.duration(from.getLeaseNanos()));
    }

    static JournalProto.OrdersDelayed encode(Event.OrdersDelayed e) {
        return JournalProto.OrdersDelayed.newBuilder().setByNanos(TimeCodec.nanos(e.by())).build();
    }

    static Event decode(Instant at, JournalProto.OrdersDelayed from) {
        return new Event.OrdersDelayed(at, TimeCodec.duration(from.getByNanos()));
    }

    static JournalProto.PolicyChanged encode(Event.PolicyChanged e) {
        return JournalProto.PolicyChanged.newBuilder()
                .setPolicy(e.policy())
                .setBy(e.by())
                .setReason(e.reason())
                .setCause(
                        switch (e.cause()) {
                            case COMMAND -> JournalProto.PolicyChanged.Cause.COMMAND;
                            case CONFIGURATION -> JournalProto.PolicyChanged.Cause.CONFIGURATION;
                            case PROMOTION -> JournalProto.PolicyChanged.Cause.PROMOTION;
                            case FALLBACK -> JournalProto.PolicyChanged.Cause.FALLBACK;
                        })
                .setConfigured(e.configured())
                .build();
    }

    static Event.PolicyChanged decode(Instant at, JournalProto.PolicyChanged from) {
        return new Event.PolicyChanged(
                at,
                from.getPolicy(),
                from.getBy(),
                from.getReason(),
                switch (from.getCause()) {
                    case COMMAND -> PolicyCause.COMMAND;
                    case CONFIGURATION -> PolicyCause.CONFIGURATION;
                    case PROMOTION -> PolicyCause.PROMOTION;
                    case FALLBACK -> PolicyCause.FALLBACK;
                    case UNRECOGNIZED ->
                            throw UnreadableException.unknown(
                                    "cause of a policy change", from.getCauseValue());
                },
                from.getConfigured());
    }
}
