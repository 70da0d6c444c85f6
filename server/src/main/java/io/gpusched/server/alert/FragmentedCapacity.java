package io.gpusched.server.alert;

import io.gpusched.core.model.Gpu;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Job;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Shape;
import io.gpusched.server.view.NodeRow;
import io.gpusched.server.view.View;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Free GPUs that no waiting job can use because they are scattered, although together they would
/// do.
///
///     node-1  ██░░   a job waits for one node with 4 GPUs: 4 are free,
///     node-2  ██░░   and none of them can be used
///
/// A waiting job counts as blocked if the free GPUs of suitable nodes are enough in sum, but too
/// few of its tasks fit. A node's free GPUs are fragmented if a blocked job could use the node and
/// no waiting task fits there. The count looks at GPUs, models and memory of GPUs only; what else
/// keeps a job waiting is told by `explain`. It costs the number of different requests in the
/// queue, at most [#MOST_REQUESTS], times the number of nodes.
///
/// @param blocked how many waiting jobs fragmentation blocks
/// @param widest the most GPUs that one task of a blocked job needs
public record FragmentedCapacity(int fragmentedGpus, int allGpus, long blocked, int widest) {
    static final int MOST_REQUESTS = 64;

    /// Requests that fragmentation cannot tell apart.
    private record Request(Shape shape, int gpus, int tasks) {
        boolean suits(NodeRow node) {
            Gpu first = node.facts().gpus().getFirst();
            return shape.acceptsModel(first.model())
                    && first.memoryMiB() >= shape.gpus().memoryMiBEach();
        }
    }

    public static FragmentedCapacity of(View view) {
        int all = 0;
        var open = new ArrayList<NodeRow>();
        for (NodeRow node : view.nodes().all()) {
            all += node.totalGpus();
            if (node.status().open() && free(node) > 0) {
                open.add(node);
            }
        }
        var requests = requests(view);
        var blocked = new ArrayList<Request>();
        long jobs = 0;
        int widest = 0;
        for (Map.Entry<Request, Long> entry : requests.entrySet()) {
            if (isBlocked(entry.getKey(), open)) {
                blocked.add(entry.getKey());
                jobs += entry.getValue();
                widest = Math.max(widest, entry.getKey().gpus);
            }
        }
        int fragmented = 0;
        for (NodeRow node : open) {
            boolean wanted = blocked.stream().anyMatch(one -> one.suits(node));
            boolean usable =
                    requests.keySet().stream()
                            .anyMatch(one -> one.gpus <= free(node) && one.suits(node));
            fragmented += wanted && !usable ? free(node) : 0;
        }
        return new FragmentedCapacity(fragmented, all, jobs, widest);
    }

    private static Map<Request, Long> requests(View view) {
        var requests = new LinkedHashMap<Request, Long>();
        view.jobs()
                .forEachWaiting(
                        job -> {
                            for (Request one : of(job)) {
                                if (requests.size() < MOST_REQUESTS || requests.containsKey(one)) {
                                    requests.merge(one, 1L, Long::sum);
                                }
                            }
                        });
        return requests;
    }

    private static List<Request> of(Job job) {
        var all = new ArrayList<Request>();
        for (Role role : job.spec().roles()) {
            int gpus =
                    switch (role.shape().gpus()) {
                        case GpuRequest.None none -> 0;
                        case GpuRequest.Whole whole -> whole.count();
                        case GpuRequest.Slice slice -> 1;
                        case GpuRequest.Share share -> share.count();
                    };
            if (gpus > 0) {
                all.add(new Request(role.shape(), gpus, role.min()));
            }
        }
        return all;
    }

    private static boolean isBlocked(Request request, List<NodeRow> open) {
        long sum = 0;
        long fits = 0;
        for (NodeRow node : open) {
            if (request.suits(node)) {
                sum += free(node);
                fits += free(node) / request.gpus;
            }
        }
        return fits < request.tasks && sum >= (long) request.gpus * request.tasks;
    }

    /// GPUs that could start a job now.
    private static int free(NodeRow node) {
        return Long.bitCount(
                node.facts().allGpus() & ~(node.usedGpus() | node.unfitGpus() | node.hotGpus()));
    }

    /// The share of all GPUs that are fragmented.
    public double share() {
        return allGpus == 0 ? 0 : fragmentedGpus / (double) allGpus;
    }
}
