package io.gpusched.server.http;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.TenantId;
import io.gpusched.server.auth.Caller;
import io.gpusched.server.live.EventId;
import io.gpusched.server.live.EventKind;
import io.gpusched.server.live.Selection;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/// The parameters of a request for events: `tenant`, `job`, `node`, `kind`, each a list separated
/// by commas, and the last event that the caller knows.
///
/// @param text gives the value of a parameter; empty where it is absent
record EventQuery(Function<String, String> text) {
    static final String LAST = "last_event_id";

    /// The names of all parameters, as the first frame of a WebSocket may have them.
    static final List<String> NAMES = List.of("tenant", "job", "node", "kind", LAST);

    static EventQuery of(Request request) {
        return new EventQuery(name -> name.equals(LAST) ? request.query(name) : request.list(name));
    }

    /// Which events the caller receives; throws an [HttpError] that names an invalid parameter.
    Selection selection(Caller caller) {
        Set<TenantId> tenants = all("tenant", TenantId::new);
        for (TenantId tenant : tenants) {
            if (!caller.mayTouch(tenant)) {
                throw HttpError.unknown("tenant", tenant.name(), "/api/v1/tenants");
            }
        }
        return new Selection(
                caller instanceof Caller.Member member ? member.tenant() : null,
                tenants,
                all("job", EventQuery::job),
                all("node", NodeId::new),
                all("kind", EventQuery::kind));
    }

    /// The last event that the caller knows; null if it names none.
    ///
    /// @param header the header `Last-Event-ID`, which wins
    @Nullable EventId last(String header) {
        String written = header.isEmpty() ? text.apply(LAST) : header;
        if (written.isEmpty()) {
            return null;
        }
        EventId id = EventId.parse(written);
        if (id == null) {
            throw HttpError.invalid(
                    LAST,
                    "%s is \"%s\"".formatted(LAST, written),
                    "write the id of an event, such as 512-3");
        }
        return id;
    }

    private <T> Set<T> all(String name, Function<String, T> read) {
        var values = new LinkedHashSet<T>();
        Arrays.stream(text.apply(name).split(",", -1))
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .map(read)
                .forEach(values::add);
        return values;
    }

    private static JobId job(String written) {
        JobId id = JobId.parse(written);
        if (id == null) {
            throw HttpError.invalid(
                    "job", "job is \"%s\"".formatted(written), "write the id of a job: job-7");
        }
        return id;
    }

    private static EventKind kind(String written) {
        EventKind kind = EventKind.parse(written);
        if (kind == null) {
            throw HttpError.invalid(
                    "kind",
                    "there is no kind of event \"%s\"".formatted(written),
                    "write one or more of: " + String.join(", ", EventKind.texts()));
        }
        return kind;
    }
}
