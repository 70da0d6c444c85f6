package io.gpusched.lab.compare;

import io.gpusched.sim.trace.Trouble;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Puts everything that is made of the answers into a folder.
public final class Shelf {
    private final Path folder;

    public Shelf(Path folder) {
        this.folder = folder;
    }

    /// Writes tables, the page and the pictures. Returns why there are no pictures as files, which
    /// is so on a machine without any font; empty when there are.
    public String put(List<Answer> answers) {
        List<Group> groups = Group.of(answers);
        try {
            Files.createDirectories(folder.resolve("png"));
            Files.writeString(folder.resolve("runs.csv"), Tables.runs(answers));
            Files.writeString(folder.resolve("tenants.csv"), Tables.tenants(answers));
            Files.writeString(folder.resolve("summary.csv"), Tables.summary(groups));
            Files.writeString(folder.resolve("results.json"), Tables.json(answers, groups));
            Files.writeString(folder.resolve("report.html"), Html.page(groups));
            return pictures(groups);
        } catch (IOException e) {
            throw new Unanswerable("cannot write to " + folder + ": " + Trouble.with(e));
        }
    }

    /// Those of an earlier comparison in the same folder would be taken for ones of this.
    private void forgetPictures() throws IOException {
        try (DirectoryStream<Path> old = Files.newDirectoryStream(folder.resolve("png"), "*.png")) {
            for (Path picture : old) {
                Files.delete(picture);
            }
        }
    }

    // A Java without fonts says so by any of several errors, at the first letter that is drawn.
    @SuppressWarnings("CatchingUnchecked")
    private String pictures(List<Group> groups) throws IOException {
        var courses = new LinkedHashMap<String, List<Group>>();
        for (Group group : groups) {
            courses.computeIfAbsent(group.course().name(), key -> new ArrayList<>()).add(group);
        }
        forgetPictures();
        try {
            for (List<Group> course : courses.values()) {
                for (Picture picture : new Pictures(course).all()) {
                    var png = new Png(picture.width(), picture.height());
                    picture.draw(png);
                    png.write(folder.resolve("png").resolve(picture.name() + ".png"));
                }
            }
            return "";
        } catch (LinkageError | IllegalStateException | NullPointerException noFonts) {
            return String.valueOf(noFonts);
        }
    }
}
