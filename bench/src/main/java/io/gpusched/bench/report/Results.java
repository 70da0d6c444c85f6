package io.gpusched.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The results of one page kept in a directory: `spine.json`, and `spine.md` made from it, or other
/// names.
public final class Results {
    private final Path folder;
    private final String page;
    private final List<String> order;

    /// @param page the name of both files, without what follows the dot
    /// @param order names of benches, in the order in which people shall read them
    public Results(Path folder, String page, List<String> order) {
        this.folder = folder;
        this.page = page;
        this.order = List.copyOf(order);
    }

    /// Puts in a result. An older one of the same bench goes; one of a bench that no longer exists
    /// goes too.
    public void put(Result result) throws IOException {
        var all = new ArrayList<Result>();
        for (Result old : results()) {
            if (!old.bench().equals(result.bench()) && order.contains(old.bench())) {
                all.add(old);
            }
        }
        all.add(result);
        all.sort(Comparator.comparingInt(one -> order.indexOf(one.bench())));
        Files.createDirectories(folder);
        replace(page + ".json", ResultJson.write(all));
        replace(page + ".md", ResultPage.of(page, all));
    }

    public List<Result> results() throws IOException {
        Path json = folder.resolve(page + ".json");
        return Files.exists(json) ? ResultJson.read(Files.readString(json)) : List.of();
    }

    /// A reader sees the old file or the new one, never half of it.
    private void replace(String name, String text) throws IOException {
        Path next = folder.resolve(name + ".next");
        Files.writeString(next, text);
        Files.move(next, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
}
