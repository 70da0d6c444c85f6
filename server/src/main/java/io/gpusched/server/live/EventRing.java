package io.gpusched.server.live;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReferenceArray;

/// The newest events, bounded by number and by bytes. When it is full, the oldest events make room.
///
/// Events are numbered in the order in which they were added. One thread at a time adds; any number
/// of threads read without a lock. A reader whose event has been overwritten finds null, and then
/// has to continue elsewhere: the ring never waits for a reader.
final class EventRing {
    private final AtomicReferenceArray<@Nullable Numbered> slots;
    private final int mask;
    private final long mostBytes;
    private volatile long first;
    private volatile long published;
    private volatile EventId floor;
    private volatile EventId newest;
    private long next;
    private long bytes;
    private EventId last;

    private record Numbered(long number, LiveEvent event) {}

    /// @param most largest number of events, a power of two
    /// @param start the place after which the ring begins
    EventRing(int most, long mostBytes, EventId start) {
        if (Integer.bitCount(most) != 1) {
            throw new IllegalArgumentException("not a power of two: " + most);
        }
        this.slots = new AtomicReferenceArray<>(most);
        this.mask = most - 1;
        this.mostBytes = mostBytes;
        this.floor = start;
        this.newest = start;
        this.last = start;
    }

    /// Adds an event, whose id must be after all ids before. Readers see it once it is published.
    void add(LiveEvent event) {
        bytes += event.bytes();
        while (next - first > mask || (bytes > mostBytes && next > first)) {
            dropOldest();
        }
        slots.set((int) next & mask, new Numbered(next, event));
        next++;
        last = event.id();
    }

    private void dropOldest() {
        long number = first;
        Numbered oldest = slots.get((int) number & mask);
        if (oldest != null) {
            floor = oldest.event.id();
            bytes -= oldest.event.bytes();
            slots.set((int) number & mask, null);
        }
        first = number + 1;
    }

    /// Shows all added events to readers.
    ///
    /// @param upTo the newest batch, which need not have events
    void publish(long upTo) {
        newest = upTo > last.batch() ? new EventId(upTo, 0) : last;
        published = next;
    }

    /// The number of the event that will be published next.
    long end() {
        return published;
    }

    /// The event with this number; null if it has been overwritten or is not published yet.
    @Nullable LiveEvent get(long number) {
        if (number >= published) {
            return null;
        }
        Numbered found = slots.get((int) number & mask);
        return found != null && found.number == number ? found.event : null;
    }

    /// The number of the first event after `id`; -1 if such events may have been overwritten.
    long after(EventId id) {
        long low = first;
        long high = published;
        if (floor.isAfter(id)) {
            return -1;
        }
        while (low < high) {
            long middle = (low + high) >>> 1;
            LiveEvent event = get(middle);
            if (event == null || !event.id().isAfter(id)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        // Events may have been overwritten meanwhile, and with them those that were looked for.
        return floor.isAfter(id) ? -1 : low;
    }

    /// The place up to which readers know everything when they have read all events.
    EventId newest() {
        return newest;
    }

    /// Every event after this place is in the ring.
    EventId floor() {
        return floor;
    }

    /// How many published events there are.
    int size() {
        return (int) Math.max(0, published - first);
    }
}
