package io.gpusched.operator.cluster;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// What a pod asks a node for, by resource name: CPU in thousandths of a core, everything else in
/// whole units, memory in bytes.
///
/// It is computed as kube-scheduler does. Init containers run one after the other before the
/// containers, so the largest of them counts, if it is larger than all containers together. An
/// init container that restarts (a sidecar) keeps running beside everything after it. The overhead
/// of the runtime class comes on top, and requests of the pod as a whole win over those of its
/// containers.
public record PodResources(SequencedMap<String, Long> amounts) {
    public static final String CPU = "cpu";
    public static final String MEMORY = "memory";
    public static final String GPU = "nvidia.com/gpu";
    public static final String MIG = "nvidia.com/mig-";

    /// What a node must have room for, beside what pods ask for.
    public static final String PODS = "pods";

    public static final PodResources NONE = new PodResources(new LinkedHashMap<>());

    private static final long MIB = 1L << 20;

    public PodResources {
        amounts = Collections.unmodifiableSequencedMap(new TreeMap<>(amounts));
    }

    /// @throws IllegalArgumentException if a request is no quantity
    public static PodResources of(JsonNode pod) {
        JsonNode spec = pod.path("spec");
        Map<String, Long> all = new LinkedHashMap<>();
        Map<String, JsonNode> resized = resized(pod.path("status").path("containerStatuses"));
        for (JsonNode container : spec.path("containers")) {
            Map<String, Long> wanted = requests(container.path("resources"));
            JsonNode given = resized.get(container.path("name").asText());
            if (given != null) {
                atLeast(wanted, requests(given));
            }
            add(all, wanted);
        }
        withInit(all, spec.path("initContainers"));
        wholePod(all, spec.path("resources"));
        add(all, read(spec.path("overhead")));
        return new PodResources(new LinkedHashMap<>(all));
    }

    /// What a node has for pods.
    ///
    /// @throws IllegalArgumentException if an amount is no quantity
    public static PodResources allocatable(JsonNode node) {
        return new PodResources(read(node.path("status").path("allocatable")));
    }

    public long of(String resource) {
        return amounts.getOrDefault(resource, 0L);
    }

    public long milliCpu() {
        return of(CPU);
    }

    /// In MiB, rounded up.
    public long memoryMiB() {
        return Math.ceilDiv(of(MEMORY), MIB);
    }

    /// Whole GPUs.
    public int gpus() {
        return Math.clamp(of(GPU), 0, Integer.MAX_VALUE);
    }

    /// MIG slices by profile, as NVIDIA writes it: `1g.5gb`, `1g.5gb+me`.
    public SequencedMap<String, Integer> slices() {
        var slices = new TreeMap<String, Integer>();
        amounts.forEach(
                (name, amount) -> {
                    if (name.startsWith(MIG) && amount > 0) {
                        slices.put(profile(name), Math.clamp(amount, 0, Integer.MAX_VALUE));
                    }
                });
        return slices;
    }

    public PodResources plus(PodResources other) {
        Map<String, Long> sum = new LinkedHashMap<>(amounts);
        add(sum, other.amounts);
        return new PodResources(new LinkedHashMap<>(sum));
    }

    /// A resource name may contain no plus, so the device plug-in writes `.me` for it.
    private static String profile(String resource) {
        String name = resource.substring(MIG.length());
        return name.endsWith(".me") ? name.substring(0, name.length() - 3) + "+me" : name;
    }

    private static void withInit(Map<String, Long> all, JsonNode initContainers) {
        Map<String, Long> sidecars = new LinkedHashMap<>();
        Map<String, Long> largest = new LinkedHashMap<>();
        for (JsonNode container : initContainers) {
            Map<String, Long> wanted = requests(container.path("resources"));
            if (container.path("restartPolicy").asText().equals("Always")) {
                add(all, wanted);
                add(sidecars, wanted);
                atLeast(largest, sidecars);
            } else {
                add(wanted, sidecars);
                atLeast(largest, wanted);
            }
        }
        atLeast(all, largest);
    }

    private static void wholePod(Map<String, Long> all, JsonNode resources) {
        all.putAll(requests(resources));
    }

    /// A pod may be resized while it runs; until the kubelet has done so, the larger amount counts.
    private static Map<String, JsonNode> resized(JsonNode statuses) {
        Map<String, JsonNode> given = new LinkedHashMap<>();
        for (JsonNode status : statuses) {
            if (status.has("resources")) {
                given.put(status.path("name").asText(), status.path("resources"));
            }
        }
        return given;
    }

    /// A limit without a request is a request too.
    private static Map<String, Long> requests(JsonNode resources) {
        Map<String, Long> wanted = read(resources.path("limits"));
        wanted.putAll(read(resources.path("requests")));
        return wanted;
    }

    private static LinkedHashMap<String, Long> read(JsonNode amounts) {
        var read = new LinkedHashMap<String, Long>();
        for (var one : amounts.properties()) {
            String text = one.getValue().asText();
            boolean cpu = one.getKey().equals(CPU);
            read.put(one.getKey(), cpu ? Quantity.milli(text) : Quantity.units(text));
        }
        return read;
    }

    private static void add(Map<String, Long> sum, Map<String, Long> more) {
        more.forEach((name, amount) -> sum.merge(name, amount, Long::sum));
    }

    private static void atLeast(Map<String, Long> most, Map<String, Long> other) {
        other.forEach((name, amount) -> most.merge(name, amount, Math::max));
    }
}
