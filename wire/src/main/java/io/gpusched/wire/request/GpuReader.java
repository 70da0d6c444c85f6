package io.gpusched.wire.request;

import io.gpusched.core.model.GpuFamily;
import io.gpusched.core.model.GpuModel;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Locality;
import io.gpusched.core.model.MigGpuModel;
import io.gpusched.core.model.MigProfile;
import io.gpusched.core.model.SpellingSuggestion;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Reads how a task uses GPUs: whole GPUs with requirements on their connection, MIG slices, or
/// fractions.
///
///     gpu_count 4, gpu_locality nvlink, gpu_min_bandwidth 600Gi   whole, every pair 600 GB/s
///     gpu_count 2, mig_profile 1g.5gb                             two slices
///     gpu_percent 40, gpu_memory_mb 8000                          40 % and 8000 MiB of one GPU
///
/// Bandwidth is in GB/s, both directions together, as in data sheets. `G`, `Gi`, `GB` and `GB/s`
/// all mean that: a user who writes `600Gi` means the 600 GB/s of an A100, which are fewer than 600
/// times 2³⁰ bytes.
final class GpuReader {
    private static final List<String> LOCALITIES =
            List.of("any", "same-node", "same-socket", "nvlink");
    private static final Pattern BANDWIDTH =
            Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,3})?)\\s*([MGT]?)(?:i|B|iB)?(?:/s|ps)?");

    private final RequestFields requestFields;
    private final List<GpuModel> models;
    private final List<String> warnings;
    private final Locality locality;
    private final long bandwidth;
    private final @Nullable String profile;
    private final int milli;

    GpuReader(RequestFields requestFields, List<GpuModel> models, List<String> warnings) {
        this.requestFields = requestFields;
        this.models = models;
        this.warnings = warnings;
        this.locality = readLocality();
        this.bandwidth = readBandwidth();
        this.profile = readProfile();
        int thousandths = part("gpu_milli", 999);
        int percent = part("gpu_percent", 99);
        this.milli = percent > 0 ? percent * 10 : thousandths;
        if (percent > 0 && thousandths > 0) {
            requestFields.problem(
                    "gpu_milli",
                    "gpu_percent and gpu_milli set the same value",
                    "leave one of them out");
        }
    }

    Locality locality() {
        return locality;
    }

    /// Whether the task requests MIG slices, of which a GPU holds several.
    boolean slices() {
        return profile != null;
    }

    /// The request of each task; none if there are problems.
    GpuRequest request(int each, int memoryMiB) {
        if (profile == null && milli == 0) {
            boolean given = bandwidth > 0 || requestFields.has("gpu_locality");
            if (each == 1 && given && locality != Locality.SAME_NODE && locality != Locality.ANY) {
                warnings.add("gpu_locality has no effect on one GPU");
            } else if (each == 1 && bandwidth > 0) {
                warnings.add("gpu_min_bandwidth has no effect on one GPU");
            }
            return each == 0
                    ? new GpuRequest.None()
                    : new GpuRequest.Whole(each, memoryMiB, locality, bandwidth);
        }
        String field = profile == null ? "gpu_percent" : "mig_profile";
        if (profile != null && milli > 0) {
            requestFields.problem(
                    "mig_profile",
                    "a task uses MIG slices or a percentage of GPUs, not both",
                    "leave mig_profile or gpu_percent out");
            return new GpuRequest.None();
        }
        if (each == 0) {
            requestFields.problem(field, field + " without GPUs", "make gpu_count 1 or more");
            return new GpuRequest.None();
        }
        boolean connected = locality == Locality.SAME_SOCKET || locality == Locality.NVLINK;
        if (connected || bandwidth > 0) {
            requestFields.problem(
                    connected ? "gpu_locality" : "gpu_min_bandwidth",
                    "only whole GPUs can have requirements on their connection",
                    "leave it out, or leave " + field + " out");
            return new GpuRequest.None();
        }
        if (profile != null && memoryMiB > 0) {
            warnings.add("gpu_memory_mb was ignored: the MIG profile fixes the memory");
        }
        return profile == null
                ? GpuRequest.shares(milli, memoryMiB, each)
                : GpuRequest.slices(profile, each);
    }

    private Locality readLocality() {
        String text = requestFields.text("gpu_locality", "", RequestBounds.NAME);
        String name = text.strip().toLowerCase(Locale.ROOT).replace('_', '-');
        if (name.isEmpty()) {
            return Locality.ANY;
        }
        int at = LOCALITIES.indexOf(name);
        if (at < 0) {
            String nearest = SpellingSuggestion.to(name, LOCALITIES);
            requestFields.problem(
                    "gpu_locality",
                    "gpu_locality must be any, same-node, same-socket or nvlink, found \""
                            + text
                            + "\"",
                    nearest == null ? "write one of these" : "did you mean " + nearest + "?");
            return Locality.ANY;
        }
        return Locality.values()[at];
    }

    private long readBandwidth() {
        JsonTree found = requestFields.value("gpu_min_bandwidth");
        if (found == null) {
            return 0;
        }
        String text =
                switch (found) {
                    case JsonTree.Text(String value) -> value.strip();
                    case JsonTree.Whole(long value) -> Long.toString(value);
                    case JsonTree.Fraction(double value) -> Double.toString(value);
                    case JsonTree.Huge _, JsonTree.Flag _, JsonTree.Nothing _ -> "";
                    case JsonTree.Items _, JsonTree.Mapping _ -> "";
                };
        var parts = BANDWIDTH.matcher(text);
        if (!parts.matches()) {
            requestFields.invalid(
                    "gpu_min_bandwidth",
                    "GB/s such as 600Gi",
                    found,
                    "write the bandwidth between each pair of GPUs, for example \"600Gi\"");
            return 0;
        }
        double factor = parts.group(2).equals("M") ? 0.001 : parts.group(2).equals("T") ? 1000 : 1;
        long gbps = (long) Math.ceil(Double.parseDouble(parts.group(1)) * factor);
        int most = models.isEmpty() ? GpuFamily.mostGBps() : 0;
        for (GpuModel model : models) {
            most = Math.max(most, GpuFamily.of(model.family()).mostBetweenTwo());
        }
        if (gbps > most) {
            String whose = models.isEmpty() ? "no GPU model" : "none of " + models;
            requestFields.problem(
                    "gpu_min_bandwidth",
                    whose + " reaches " + gbps + " GB/s between two GPUs",
                    "ask for at most " + most + "Gi");
        }
        return gbps;
    }

    private @Nullable String readProfile() {
        String text = requestFields.text("mig_profile", "", RequestBounds.NAME);
        if (text.isBlank()) {
            return null;
        }
        String name = text.strip().toLowerCase(Locale.ROOT).replaceFirst("\\.me$", "+me");
        List<String> known = MigGpuModel.profileNames();
        if (!known.contains(name)) {
            String nearest = SpellingSuggestion.to(name, known);
            requestFields.problem(
                    "mig_profile",
                    "no GPU has a MIG profile \"" + text + "\"",
                    nearest == null
                            ? "use one of " + String.join(", ", known)
                            : "did you mean " + nearest + "?");
            return null;
        }
        List<String> offered =
                MigGpuModel.all().stream()
                        .filter(card -> models.stream().anyMatch(m -> m.accepts(card.model())))
                        .flatMap(card -> card.profiles().stream())
                        .map(MigProfile::name)
                        .distinct()
                        .toList();
        if (!models.isEmpty() && !offered.contains(name)) {
            String nearest = SpellingSuggestion.to(name, offered);
            requestFields.problem(
                    "mig_profile",
                    "none of " + models + " has a MIG profile " + name,
                    offered.isEmpty()
                            ? "leave mig_profile out, or name a GPU model with MIG"
                            : "use " + (nearest == null ? offered.getFirst() : nearest));
        }
        return name;
    }

    /// A fraction of a GPU, from 1 to `most`; 0 if none is requested.
    private int part(String key, int most) {
        JsonTree found = requestFields.value(key);
        if (found == null) {
            return 0;
        }
        if (found instanceof JsonTree.Whole(long number) && number >= 1 && number <= most) {
            return (int) number;
        }
        boolean above = found instanceof JsonTree.Whole(long number) && number > most;
        requestFields.invalid(
                key,
                "a whole number from 1 to " + most,
                found,
                above
                        ? "use " + most + ", or leave " + key + " out for whole GPUs"
                        : "use at least 1, or leave " + key + " out for whole GPUs");
        return 0;
    }
}
