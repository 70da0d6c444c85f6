package io.gpusched.core.place;

import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.core.model.Slot;
import io.gpusched.core.nodes.NodeView;
import io.gpusched.core.nodes.Trial;
import io.gpusched.core.place.GangOffers.Offer;
import io.gpusched.core.state.CapacityView;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/// One attempt to place all tasks of a job, on trial.
///
/// It tries all tasks in one domain of the narrowest preferred level, then of the next wider, up to
/// the required one; of the domains that could run all, the fullest. Where nothing is required and
/// no single domain fits all, it spreads them over as few domains of the widest level as possible,
/// the largest first, in each of them over as few of the next narrower level, and finally over as
/// few nodes as possible.
///
///     64 tasks, near a rack   r1: 40 free  r2: 80  r3: 70   → all in r3
///                             r1: 40 free  r2: 20  r3: 30   → 40 in r1, 24 in r3
///
/// For one level this is the fewest possible, because taking the largest first always is. Below the
/// widest level it is the fewest within each domain that was chosen before. It costs one look at
/// each node that could run a task, and sorting them.
final class GangTrial {
    private static final int NOWHERE = -1;

    /// Offers in the same domain.
    private record Pile(int place, List<Offer> offers, int tasks) {}

    private static final Comparator<Pile> LARGEST_PILE =
            Comparator.comparingInt(pile -> -pile.tasks);

    /// The largest first; of equally large ones the emptier nodes.
    private static final Comparator<Offer> LARGEST_OFFER =
            Comparator.comparingInt((Offer offer) -> -offer.tasks())
                    .thenComparingInt(offer -> -Long.bitCount(offer.node().freeGpus()));

    private final Job job;
    private final CapacityView view;
    private final NodeSearch nodeSearch;
    private final GangProximity near;
    private final Trial trial;
    private final GangOffers gangOffers;
    private final List<Slot> slots = new ArrayList<>();

    GangTrial(Job job, CapacityView view, NodeSearch nodeSearch, GangProximity near, Trial trial) {
        this.job = job;
        this.view = view;
        this.nodeSearch = nodeSearch;
        this.near = near;
        this.trial = trial;
        this.gangOffers = new GangOffers(nodeSearch, view);
    }

    /// The slots of the placed tasks.
    List<Slot> slots() {
        return slots;
    }

    /// Places all tasks; false when not all fit.
    boolean place() {
        var all = new ArrayList<List<Offer>>();
        for (Role role : job.spec().roles()) {
            List<Offer> some = gangOffers.of(role.shape());
            if (sum(some) < role.min()) {
                return false;
            }
            all.add(some);
        }
        for (int preference = near.preferred().size() - 1; preference >= 0; preference--) {
            if (inOnePlace(all, near.preferred().get(preference), preference + 1)) {
                return true;
            }
        }
        return near.required() >= 0 ? inOnePlace(all, near.required(), 0) : spread(all, 0);
    }

    /// Tries every domain of the level that could run all tasks, until one does. Domains that need
    /// the fewest domains of the next preferred level come first, then the fullest.
    private boolean inOnePlace(List<List<Offer>> all, int number, int preference) {
        TopologyDomains.Level level = nodeSearch.topologyDomains().at(number);
        var piles = new ArrayList<List<Pile>>();
        for (List<Offer> some : all) {
            piles.add(piles(some, level, false));
        }
        List<Pile> large = new ArrayList<>();
        for (Pile pile : piles.getFirst()) {
            if (pile.tasks >= min(0)) {
                large.add(pile);
            }
        }
        int[] parts = new int[level.size()];
        if (preference < near.preferred().size()) {
            TopologyDomains.Level below =
                    nodeSearch.topologyDomains().at(near.preferred().get(preference));
            large.forEach(pile -> parts[pile.place] = fewest(piles(pile.offers, below, true)));
        }
        large.sort(
                Comparator.comparingInt((Pile pile) -> parts[pile.place])
                        .thenComparingInt(Pile::tasks)
                        .thenComparingInt(Pile::place));
        for (Pile pile : large) {
            List<List<Offer>> here = sharing(piles, pile);
            if (here.size() == all.size() && spread(here, preference)) {
                return true;
            }
        }
        return false;
    }

    /// The offers to each role in the pile's domain; fewer lists where a role has too few.
    private List<List<Offer>> sharing(List<List<Pile>> piles, Pile first) {
        var here = new ArrayList<List<Offer>>();
        here.add(first.offers);
        for (int role = 1; role < piles.size(); role++) {
            for (Pile pile : piles.get(role)) {
                if (pile.place == first.place && pile.tasks >= min(role)) {
                    here.add(pile.offers);
                }
            }
        }
        return here;
    }

    /// How many of the piles are needed at least.
    private int fewest(List<Pile> piles) {
        piles.sort(Comparator.comparingInt((Pile pile) -> -pile.tasks));
        int left = min(0);
        int needed = 0;
        for (Pile pile : piles) {
            if (left <= 0) {
                break;
            }
            left -= pile.tasks;
            needed++;
        }
        return needed;
    }

    private int min(int role) {
        return job.spec().roles().get(role).min();
    }

    /// Places all roles on their offers, or none.
    private boolean spread(List<List<Offer>> all, int preference) {
        int mark = trial.mark();
        for (int role = 0; role < all.size(); role++) {
            Shape shape = job.spec().roles().get(role).shape();
            List<Offer> some = role == 0 ? all.getFirst() : gangOffers.again(shape, all.get(role));
            if (spread(some, min(role), role, preference) < min(role)) {
                trial.undo(mark);
                slots.clear();
                return false;
            }
        }
        return true;
    }

    /// Places up to `left` tasks over as few domains as possible, and returns how many were placed.
    private int spread(List<Offer> some, int left, int role, int preference) {
        if (preference == near.preferred().size()) {
            return onNodes(some, left, role);
        }
        TopologyDomains.Level level =
                nodeSearch.topologyDomains().at(near.preferred().get(preference));
        BitSet used = role == 0 ? new BitSet() : used(level);
        List<Pile> piles = piles(some, level, true);
        piles.sort(
                Comparator.comparing((Pile pile) -> !isUsed(used, pile))
                        .thenComparing(LARGEST_PILE)
                        .thenComparingInt(Pile::place)
                        .thenComparingInt(pile -> pile.offers.getFirst().node().index()));
        int placed = 0;
        int next = 0;
        for (; next < piles.size() && isUsed(used, piles.get(next)) && placed < left; next++) {
            placed += spread(piles.get(next).offers, left - placed, role, preference + 1);
        }
        List<Pile> rest = piles.subList(next, piles.size());
        var largestFirst = LargestFirst.among(rest, LARGEST_PILE, Pile::tasks);
        while (placed < left) {
            int pick = largestFirst.next(left - placed);
            if (pick < 0) {
                break;
            }
            placed += spread(rest.get(pick).offers, left - placed, role, preference + 1);
        }
        return placed;
    }

    private static boolean isUsed(BitSet used, Pile pile) {
        return pile.place != NOWHERE && used.get(pile.place);
    }

    /// Domains of the level in which tasks of this job already are.
    private BitSet used(TopologyDomains.Level level) {
        var used = new BitSet();
        for (Slot slot : slots) {
            int place = level.of(Objects.requireNonNull(view.nodes().find(slot.node())));
            if (place >= 0) {
                used.set(place);
            }
        }
        return used;
    }

    /// Offers by domain. Nodes without a domain are each alone, or left out.
    private static List<Pile> piles(List<Offer> some, TopologyDomains.Level level, boolean alone) {
        var byPlace = new ArrayList<List<Offer>>();
        var numbers = new int[level.size()];
        var piles = new ArrayList<Pile>();
        for (Offer offer : some) {
            int place = level.of(offer.node());
            if (place < 0 && alone) {
                piles.add(new Pile(NOWHERE, List.of(offer), offer.tasks()));
            } else if (place >= 0) {
                if (numbers[place] == 0) {
                    byPlace.add(new ArrayList<>());
                    numbers[place] = byPlace.size();
                }
                byPlace.get(numbers[place] - 1).add(offer);
            }
        }
        for (List<Offer> here : byPlace) {
            piles.add(new Pile(level.of(here.getFirst().node()), here, sum(here)));
        }
        return piles;
    }

    private static int sum(List<Offer> some) {
        long sum = 0;
        for (Offer offer : some) {
            sum += offer.tasks();
        }
        return (int) Math.min(Integer.MAX_VALUE, sum);
    }

    /// Of nodes that fit all remaining tasks, the fullest; among equals, the first in the ledger.
    private int onNodes(List<Offer> some, int left, int role) {
        var sorted = new ArrayList<>(some);
        sorted.sort(LARGEST_OFFER.thenComparingInt(offer -> offer.node().index()));
        var largestFirst = LargestFirst.among(sorted, LARGEST_OFFER, Offer::tasks);
        int placed = 0;
        while (placed < left) {
            int pick = largestFirst.next(left - placed);
            if (pick < 0) {
                break;
            }
            Offer offer = sorted.get(pick);
            placed += placeTasks(role, Math.min(left - placed, offer.tasks()), offer.node());
        }
        return placed;
    }

    private int placeTasks(int role, int most, NodeView node) {
        Shape shape = job.spec().roles().get(role).shape();
        int placed = 0;
        while (placed < most) {
            Grant grant = nodeSearch.fit(shape, node, view);
            if (grant == null) {
                break;
            }
            var slot = new Slot(node.facts().id(), role, slots.size(), grant, shape.host());
            trial.place(slot);
            slots.add(slot);
            placed++;
        }
        return placed;
    }
}
