package io.gpusched.core.policy;

import io.gpusched.core.model.JobId;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The jobs that were preempted so that a job could start, as reasons in the journal list them: a
/// few by name, the others counted.
///
/// @param more how many are not named
public record VictimList(List<JobId> named, int more) {
    public static final VictimList NONE = new VictimList(List.of(), 0);

    /// A large gang may preempt hundreds, and every reason is kept for ever.
    private static final int MOST_NAMED = 10;

    private static final Pattern WRITTEN =
            Pattern.compile("by stopping (job-[0-9]+(?:, job-[0-9]+)*)(?: and ([0-9]+) more)?");

    private static final Pattern JOB = Pattern.compile("job-([0-9]+)");

    public VictimList {
        named = List.copyOf(named);
    }

    public static VictimList of(List<JobId> jobs) {
        int named = Math.min(jobs.size(), MOST_NAMED);
        return new VictimList(jobs.subList(0, named), jobs.size() - named);
    }

    public int count() {
        return named.size() + more;
    }

    /// `by stopping job-3, job-5 and 2 more`; empty when there are none.
    public String written() {
        String names = named.stream().map(JobId::toString).collect(Collectors.joining(", "));
        return named.isEmpty()
                ? ""
                : "by stopping " + names + (more == 0 ? "" : " and " + more + " more");
    }

    /// Finds and parses what [#written] wrote in the text; no victims where there is none.
    public static VictimList read(String text) {
        Matcher found = WRITTEN.matcher(text);
        return found.find() ? read(found) : NONE;
    }

    private static VictimList read(MatchResult found) {
        var named = new ArrayList<JobId>();
        Matcher job = JOB.matcher(found.group(1));
        while (job.find()) {
            named.add(new JobId(Long.parseLong(job.group(1))));
        }
        String more = found.group(2);
        return new VictimList(named, more == null ? 0 : Integer.parseInt(more));
    }

    /// The text in the form of older releases, which did not name victims.
    public static String untold(String text) {
        return WRITTEN.matcher(text).replaceAll("by stopping others");
    }

    /// The text with numbers instead of names, for readers who may not see other tenants' jobs.
    public static String unnamed(String text) {
        return WRITTEN.matcher(text)
                .replaceAll(
                        found -> {
                            int count = read(found).count();
                            return "by stopping " + count + (count == 1 ? " job" : " jobs");
                        });
    }
}
