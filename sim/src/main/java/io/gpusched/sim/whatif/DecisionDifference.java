package io.gpusched.sim.whatif;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.Placement;
import io.gpusched.core.policy.VictimList;

import java.time.Instant;
import java.util.List;

/// A cycle of a replay whose decisions differ from the recorded ones.
///
/// @param batch the recorded batch; if none was recorded at that time, the one before
/// @param recorded the recorded decisions, as text
/// @param otherwise the decisions of the replay, as text
public record DecisionDifference(
        long batch, Instant at, List<String> recorded, List<String> otherwise) {
    /// At most this many decisions of a cycle are listed.
    private static final int MOST = 20;

    public DecisionDifference {
        recorded = List.copyOf(recorded);
        otherwise = List.copyOf(otherwise);
    }

    /// Whether two decisions are the same. Older releases did not record the victims of a
    /// preemption, nor the score of a reserved placement; these omissions are no difference.
    static boolean isNone(List<Event> recorded, List<Event> otherwise) {
        boolean same = recorded.size() == otherwise.size();
        for (int i = 0; same && i < recorded.size(); i++) {
            same = recorded.get(i).equals(asSilentAs(recorded.get(i), otherwise.get(i)));
        }
        return same;
    }

    private static Event asSilentAs(Event recorded, Event otherwise) {
        if (recorded instanceof Event.AttemptPlaced was
                && VictimList.read(was.because()).count() == 0
                && otherwise instanceof Event.AttemptPlaced would) {
            String because = was.because().isEmpty() ? "" : VictimList.untold(would.because());
            return new Event.AttemptPlaced(would.at(), would.attempt(), would.on(), because);
        }
        if (recorded instanceof Event.ClaimMade was
                && VictimList.read(was.claim().reason()).count() == 0
                && otherwise instanceof Event.ClaimMade would
                && would.claim().kind() == Claim.Kind.ROOM) {
            return new Event.ClaimMade(would.at(), because(was.claim().reason(), would.claim()));
        }
        return otherwise;
    }

    private static Claim because(String reason, Claim claim) {
        return new Claim(
                claim.id(),
                claim.claimHolder(),
                claim.kind(),
                claim.slots(),
                claim.from(),
                claim.until(),
                reason);
    }

    static DecisionDifference of(
            long batch, Instant at, List<Event> recorded, List<Event> otherwise) {
        List<String> was = words(recorded, false);
        List<String> would = words(otherwise, false);
        return was.equals(would)
                ? new DecisionDifference(batch, at, words(recorded, true), words(otherwise, true))
                : new DecisionDifference(batch, at, was, would);
    }

    /// @param why whether to list reasons too: they may be the only difference
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
        return claim.claimHolder() instanceof ClaimHolder.OfJob of
                ? of.job().toString()
                : "somebody";
    }
}
