package io.gpusched.sim.whatif;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.Holder;
import io.gpusched.core.model.Placement;

import java.time.Instant;
import java.util.List;

/// A round that decided something else than was recorded.
///
/// @param batch the recorded batch; where nothing was recorded then, the one before
/// @param recorded what was decided, in words
/// @param otherwise what was decided this time
public record Difference(long batch, Instant at, List<String> recorded, List<String> otherwise) {
    /// More than this is not told of one round.
    private static final int MOST = 20;

    public Difference {
        recorded = List.copyOf(recorded);
        otherwise = List.copyOf(otherwise);
    }

    static Difference of(long batch, Instant at, List<Event> recorded, List<Event> otherwise) {
        List<String> was = words(recorded, false);
        List<String> would = words(otherwise, false);
        return was.equals(would)
                ? new Difference(batch, at, words(recorded, true), words(otherwise, true))
                : new Difference(batch, at, was, would);
    }

    /// @param why whether reasons are told as well: they may be all that differs
    private static List<String> words(List<Event> events, boolean why) {
        return events.stream()
                .limit(MOST)
                .map(
                        event ->
                                why && event instanceof Event.AttemptPlaced placed
                                        ? words(event) + ": " + placed.because()
                                        : words(event))
                .toList();
    }

    private static String words(Event event) {
        return switch (event) {
            case Event.AttemptPlaced e -> e.attempt().job() + " starts on " + e.on();
            case Event.AttemptStopping e ->
                    e.attempt().job() + " is stopped: " + e.cause().detail();
            case Event.ClaimMade e ->
                    "room is kept for "
                            + holder(e.claim())
                            + " on "
                            + new Placement(e.claim().slots())
                            + ": "
                            + e.claim().reason();
            case Event.ClaimDropped e -> "room is given up: " + e.reason();
            default -> event.toString();
        };
    }

    private static String holder(Claim claim) {
        return claim.holder() instanceof Holder.OfJob of ? of.job().toString() : "somebody";
    }
}
