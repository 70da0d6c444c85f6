package io.gpusched.server.view;

import io.gpusched.core.model.JobId;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Takes jobs and tenants that a tenant must not know out of a text.
///
///     made room for job-9 of priority 5   →   made room for another tenant's job of priority 5
public final class OtherJobs {
    private static final String PREFIX = "job-";
    private static final String UNNAMED = "another tenant's job";
    private static final Pattern JOB = Pattern.compile("job-[0-9]+");

    /// The only reason that names a tenant beside the job's own. A tenant's name may contain any
    /// character.
    private static final Pattern RECLAIMED =
            Pattern.compile("for job-[0-9]+ of .*, which is below its guarantee", Pattern.DOTALL);

    /// The error of some job's start in the reason for which the scheduler closed a node. It may
    /// contain anything, such as a path of the job.
    private static final Pattern START_ERROR =
            Pattern.compile("(?<=that then started elsewhere), the last one: .*", Pattern.DOTALL);

    private OtherJobs() {}

    /// Finds the tenant of a job.
    public interface JobTenants {
        /// Null if the job is not known any more.
        @Nullable TenantId of(JobId job);
    }

    /// The text as `reader` may read it; the same text if it names nothing of others.
    ///
    /// @param reader null if the text is for all tenants
    public static String hidden(String text, @Nullable TenantId reader, JobTenants tenants) {
        String told = START_ERROR.matcher(text).replaceAll("");
        if (!told.contains(PREFIX)) {
            return told;
        }
        String known =
                RECLAIMED
                        .matcher(told)
                        .replaceAll("for " + UNNAMED + ", which is below its guarantee");
        return JOB.matcher(known)
                .replaceAll(
                        found ->
                                Matcher.quoteReplacement(
                                        isOf(found.group(), reader, tenants)
                                                ? found.group()
                                                : UNNAMED));
    }

    private static boolean isOf(String name, @Nullable TenantId reader, JobTenants tenants) {
        JobId job = JobId.parse(name);
        return reader != null && job != null && reader.equals(tenants.of(job));
    }
}
