package io.gpusched.core.model;

import java.util.ArrayList;
import java.util.Locale;
import java.util.regex.Pattern;

/// A kind of GPU: its family and its memory as sold. Memory 0 means "any" in a request.
///
/// The different names that people and drivers use for one card parse to one model:
///
///     A100-80GB, A100 80Gi, NVIDIA A100-SXM4-80GB  →  A100, 81920 MiB
public record GpuModel(String family, int memoryMiB) {
    private static final Pattern MEMORY = Pattern.compile("([0-9]{1,4})G(B|I|IB)?");
    private static final Pattern NOISE =
            Pattern.compile("NVIDIA|TESLA|GEFORCE|SXM[0-9]?|PCIE|HBM[0-9][A-Z]?|NVL|GPU|");

    public GpuModel {
        Check.that(!family.isEmpty(), "a GPU model has a family");
        Check.that(memoryMiB >= 0, "GPU memory is not negative, found %s MiB", memoryMiB);
    }

    /// Parses any usual spelling. An unknown text becomes the family, in upper case.
    public static GpuModel parse(String text) {
        int memoryMiB = 0;
        var words = new ArrayList<String>();
        for (String word : text.toUpperCase(Locale.ROOT).split("[-_ ]+", -1)) {
            var memory = MEMORY.matcher(word);
            if (memory.matches()) {
                memoryMiB = Integer.parseInt(memory.group(1)) * 1024;
            } else if (!NOISE.matcher(word).matches()) {
                words.add(word);
            }
        }
        return new GpuModel(words.isEmpty() ? "UNKNOWN" : String.join("", words), memoryMiB);
    }

    /// Whether a GPU of model `other` satisfies a request for this one.
    public boolean accepts(GpuModel other) {
        return family.equals(other.family) && (memoryMiB == 0 || memoryMiB == other.memoryMiB);
    }

    @Override
    public String toString() {
        return memoryMiB == 0 ? family : family + "-" + memoryMiB / 1024 + "GB";
    }
}
