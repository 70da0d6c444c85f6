package io.gpusched.sim.audit;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuFamily;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.MigConfig;
import io.gpusched.core.model.MigGpuModel;
import io.gpusched.core.model.MigProfile;
import io.gpusched.core.model.MigSlot;
import io.gpusched.core.model.Node;
import io.gpusched.core.model.Shape;

import java.util.ArrayList;
import java.util.List;

/// The auditor's record of one node's GPUs: each is held whole, in shares or in slices, and never
/// beyond its capacity. It keeps lists and counts them again each time.
final class GpuAudit {
    private final List<Grant> held = new ArrayList<>();

    /// All GPU capacity of a grant must be available and match the request.
    void take(Grant grant, Shape shape, Node node, Object who) {
        for (Grant other : held) {
            Violation.unless(
                    sameKind(grant, other) || (grant.mask() & other.mask()) == 0,
                    "%s gets GPUs of %s in use in another way: %s, %s",
                    who,
                    node.id(),
                    grant,
                    other);
        }
        held.add(grant);
        switch (grant) {
            case Grant.None none -> {}
            case Grant.Counted counted -> {}
            case Grant.Whole whole -> whole(whole, shape, node, who);
            case Grant.Shares shares -> shares(shares, shape, node, who);
            case Grant.Slices slices -> slices(slices, shape, node, who);
        }
    }

    void release(Grant grant) {
        held.remove(grant);
    }

    private static boolean sameKind(Grant one, Grant other) {
        return one instanceof Grant.Shares && other instanceof Grant.Shares
                || one instanceof Grant.Slices && other instanceof Grant.Slices;
    }

    private static void whole(Grant.Whole whole, Shape shape, Node node, Object who) {
        boolean asked =
                shape.gpus() instanceof GpuRequest.Whole wanted
                        && wanted.count() == Long.bitCount(whole.gpus());
        Violation.unless(asked, "%s gets %s, it asked for %s", who, whole, shape.gpus());
        Violation.unless(
                (whole.gpus() & MigConfig.cutForGood(node)) == 0,
                "%s gets GPUs of %s that are cut for good",
                who,
                node.id());
        if (shape.gpus() instanceof GpuRequest.Whole wanted && wanted.isParticular()) {
            pairs(whole.gpus(), wanted, node, who);
        }
    }

    private static void pairs(long gpus, GpuRequest.Whole wanted, Node node, Object who) {
        for (long a = gpus; a != 0; a &= a - 1) {
            for (long b = a & (a - 1); b != 0; b &= b - 1) {
                int one = Long.numberOfTrailingZeros(a);
                int two = Long.numberOfTrailingZeros(b);
                var wires = node.topology();
                int links = wires.size() == 0 ? 0 : wires.nvlinks(one, two);
                boolean together =
                        wires.size() > 0
                                && wires.socket(one) >= 0
                                && wires.socket(one) == wires.socket(two);
                int gbps = GpuFamily.of(node.gpus().get(one).model().family()).gbps(links);
                Violation.unless(
                        (wanted.locality() != Locality.NVLINK || links > 0)
                                && (wanted.locality() != Locality.SAME_SOCKET || together)
                                && gbps >= wanted.minBandwidth(),
                        "%s gets GPUs %s and %s of %s, which are not connected as %s asks",
                        who,
                        one,
                        two,
                        node.id(),
                        wanted);
            }
        }
    }

    private void shares(Grant.Shares shares, Shape shape, Node node, Object who) {
        boolean asked =
                shape.gpus() instanceof GpuRequest.Share wanted
                        && wanted.milli() == shares.milli()
                        && wanted.count() == Long.bitCount(shares.gpus())
                        && shares.memoryMiB() >= wanted.memoryMiB();
        Violation.unless(asked, "%s gets %s, it asked for %s", who, shares, shape.gpus());
        for (Gpu gpu : node.gpus()) {
            long milli = 0;
            long memory = 0;
            for (Grant grant : held) {
                if (grant instanceof Grant.Shares one && (one.gpus() >>> gpu.index() & 1) == 1) {
                    milli += one.milli();
                    memory += one.memoryMiB();
                }
            }
            Violation.unless(
                    milli <= 1000 && memory <= gpu.memoryMiB(),
                    "%s: %s thousandths and %s MiB of GPU %s of %s are given",
                    who,
                    milli,
                    memory,
                    gpu.index(),
                    node.id());
        }
    }

    private void slices(Grant.Slices slices, Shape shape, Node node, Object who) {
        boolean asked =
                shape.gpus() instanceof GpuRequest.Slice wanted
                        && wanted.count() == slices.at().size()
                        && slices.at().stream().allMatch(s -> s.profile().equals(wanted.profile()));
        Violation.unless(asked, "%s gets %s, it asked for %s", who, slices, shape.gpus());
        for (Gpu gpu : node.gpus()) {
            List<MigSlot> cut =
                    held.stream()
                            .filter(Grant.Slices.class::isInstance)
                            .flatMap(grant -> ((Grant.Slices) grant).at().stream())
                            .filter(slot -> slot.gpu() == gpu.index())
                            .toList();
            Violation.unless(
                    cut.isEmpty() || legal(cut, gpu, MigConfig.of(node.labels())),
                    "%s: GPU %s of %s cannot be cut into %s",
                    who,
                    gpu.index(),
                    node.id(),
                    cut);
        }
    }

    private static boolean legal(List<MigSlot> cut, Gpu gpu, MigConfig config) {
        MigGpuModel card = MigGpuModel.of(gpu);
        if (card == null) {
            return false;
        }
        var covered = new boolean[8];
        int compute = 0;
        int media = 0;
        for (MigSlot slot : cut) {
            MigProfile profile = card.profile(slot.profile());
            boolean offered =
                    config.kind() == MigConfig.Kind.DYNAMIC
                            || config.layout(card, gpu.index()).contains(slot);
            if (profile == null || !offered || (profile.starts() >>> slot.first() & 1) == 0) {
                return false;
            }
            for (int at = slot.first(); at < slot.first() + profile.size(); at++) {
                if (covered[at]) {
                    return false;
                }
                covered[at] = true;
            }
            compute += profile.compute();
            media += profile.media() ? 1 : 0;
        }
        return compute <= card.profiles().getFirst().of() && media <= 1;
    }
}
