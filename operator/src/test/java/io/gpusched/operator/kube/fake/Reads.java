package io.gpusched.operator.kube.fake;

import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/// Lists, in pages that show one moment, and watches.
final class Reads {
    private static final int MOST_LISTS = 64;
    private static final int USUAL_WATCH_SECONDS = 1800;
    private static final int BATCH_BYTES = 1 << 16;

    /// What is left of a list whose first pages were read.
    private record Rest(List<Stored> items, String version) {}

    private final ObjectStore store;
    private final Map<String, Rest> rests =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Rest> eldest) {
                    return size() > MOST_LISTS;
                }
            };
    private volatile Duration pause = Duration.ofMinutes(1);
    private final AtomicLong bookmarks = new AtomicLong();

    Reads(ObjectStore store) {
        this.store = store;
    }

    void bookmarkEvery(Duration interval) {
        pause = interval;
    }

    long bookmarks() {
        return bookmarks.get();
    }

    /// All pages from now on are of lists that begin anew.
    void forgetPages() {
        synchronized (rests) {
            rests.clear();
        }
    }

    byte[] list(Target target, ApiCall call) {
        String next = call.parameter("continue");
        Rest rest = next.isEmpty() ? all(target, call) : rest(next);
        int limit = Integer.parseInt("0" + call.parameter("limit"));
        if (limit == 0 || rest.items().size() <= limit) {
            return Bodies.list(target.type(), rest.items(), rest.version(), "");
        }
        String id = UUID.randomUUID().toString();
        synchronized (rests) {
            rests.put(
                    id, new Rest(rest.items().subList(limit, rest.items().size()), rest.version()));
        }
        return Bodies.list(target.type(), rest.items().subList(0, limit), rest.version(), id);
    }

    private Rest rest(String id) {
        synchronized (rests) {
            Rest rest = rests.get(id);
            if (rest == null) {
                throw Refused.gone(
                        "The provided continue parameter is too old to display a consistent list"
                                + " result.");
            }
            return rest;
        }
    }

    private Rest all(Target target, ApiCall call) {
        Selector selector = selector(target, call);
        synchronized (store) {
            var items = new ArrayList<Stored>();
            for (Stored each : store.all(target.type().storage())) {
                if (isIn(target, each) && selector.matches(each.object())) {
                    items.add(each);
                }
            }
            return new Rest(items, Long.toString(store.version()));
        }
    }

    private static boolean isIn(Target target, Stored each) {
        return (target.namespace().isEmpty() || target.namespace().equals(each.namespace()))
                && (target.name().isEmpty() || target.name().equals(each.name()));
    }

    static Selector selector(Target target, ApiCall call) {
        return Selector.of(
                target.type().type().plural(),
                call.parameter("labelSelector"),
                call.parameter("fieldSelector"));
    }

    void watch(Target target, ApiCall call, Exchange exchange)
            throws IOException, InterruptedException {
        Selector selector = selector(target, call);
        ObjectTable table = store.table(target.type().storage());
        int ends = table.ends();
        int seconds =
                call.parameter("timeoutSeconds").isEmpty()
                        ? USUAL_WATCH_SECONDS
                        : Integer.parseInt(call.parameter("timeoutSeconds"));
        long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        long from = Long.parseLong("0" + call.parameter("resourceVersion"));
        exchange.begin();
        if (from == 0) {
            from = present(target, call, exchange);
        }
        boolean wantsBookmarks = call.parameter("allowWatchBookmarks").equals("true");
        while (System.nanoTime() < end) {
            long left = (end - System.nanoTime()) / 1_000_000;
            long wait = wantsBookmarks ? Math.min(left, pause.toMillis()) : left;
            // Read first: a change that comes later has a higher version than the bookmark.
            long newest = store.version();
            ObjectTable.News news = table.await(from, ends, wait);
            if (news.isGone()) {
                ObjectNode status = Refused.gone("too old resource version: " + from).status();
                send(exchange, "ERROR", Bodies.of(status));
                break;
            }
            from = tell(target, selector, news.changes(), from, exchange);
            if (news.isEnded()) {
                break;
            }
            if (news.changes().isEmpty() && wantsBookmarks) {
                from = Math.max(from, newest);
                send(exchange, "BOOKMARK", Bodies.of(Bodies.bookmark(target.type(), from)));
                bookmarks.incrementAndGet();
            }
        }
        exchange.end();
    }

    private static void send(Exchange exchange, String type, byte[] object) throws IOException {
        var out = new ByteArrayOutputStream();
        Bodies.event(out, type, object);
        exchange.chunk(out.toByteArray());
    }

    /// Tells what there is, for a watch that does not continue a list.
    private long present(Target target, ApiCall call, Exchange exchange) throws IOException {
        Rest rest = all(target, call);
        for (Stored each : rest.items()) {
            send(exchange, "ADDED", Bodies.of(each, target.type()));
        }
        return Long.parseLong(rest.version());
    }

    /// @return the version up to which everything was told
    private static long tell(
            Target target, Selector selector, List<Change> changes, long from, Exchange exchange)
            throws IOException {
        var out = new ByteArrayOutputStream();
        long told = from;
        for (Change each : changes) {
            String type = isIn(target, each.last()) ? each.type(selector) : "";
            if (!type.isEmpty()) {
                Bodies.event(out, type, Bodies.of(each.last(), target.type()));
            }
            if (out.size() > BATCH_BYTES) {
                exchange.chunk(out.toByteArray());
                out.reset();
            }
            told = each.version();
        }
        if (out.size() > 0) {
            exchange.chunk(out.toByteArray());
        }
        return told;
    }
}
