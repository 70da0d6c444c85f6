package io.gpusched.lab.compare;

import io.gpusched.lab.draw.Picture;
import io.gpusched.lab.draw.Png;
import io.gpusched.sim.trace.FileProblem;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/// Writes all files of a comparison into its directory.
public final class ReportFolder {
    private final Path folder;

    public ReportFolder(Path folder) {
        this.folder = folder;
    }

    /// Writes the tables, the report and the pictures. Returns why there are no PNG files, as on a
    /// machine without fonts; empty if there are.
    public String put(List<RunResult> answers) {
        List<ResultGroup> groups = ResultGroup.of(answers);
        try {
            Files.createDirectories(folder.resolve("png"));
            Files.writeString(folder.resolve("runs.csv"), ResultTables.runs(answers));
            Files.writeString(folder.resolve("tenants.csv"), ResultTables.tenants(answers));
            Files.writeString(folder.resolve("summary.csv"), ResultTables.summary(groups));
            Files.writeString(folder.resolve("results.json"), ResultTables.json(answers, groups));
            Files.writeString(folder.resolve("report.html"), HtmlReport.page(groups));
            return pictures(groups);
        } catch (IOException e) {
            throw new ComparisonError("cannot write to " + folder + ": " + FileProblem.with(e));
        }
    }

    /// Deletes pictures of an earlier comparison, which readers would mistake for these.
    private void forgetPictures() throws IOException {
        try (DirectoryStream<Path> old = Files.newDirectoryStream(folder.resolve("png"), "*.png")) {
            for (Path picture : old) {
                Files.delete(picture);
            }
        }
    }

    // A Java without fonts says so by any of several errors, at the first letter that is drawn.
    @SuppressWarnings("CatchingUnchecked")
    private String pictures(List<ResultGroup> groups) throws IOException {
        var courses = new LinkedHashMap<String, List<ResultGroup>>();
        for (ResultGroup resultGroup : groups) {
            courses.computeIfAbsent(resultGroup.labWorkload().name(), key -> new ArrayList<>())
                    .add(resultGroup);
        }
        forgetPictures();
        try {
            for (List<ResultGroup> course : courses.values()) {
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
