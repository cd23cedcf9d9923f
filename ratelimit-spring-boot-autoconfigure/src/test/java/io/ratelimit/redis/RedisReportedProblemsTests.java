package io.ratelimit.redis;

import io.ratelimit.core.Backend;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.testing.ReportedProblemsContract;

class RedisReportedProblemsTests extends ReportedProblemsContract {

    @Override
    protected Backend createBackend(ManualTimeSource timeSource) {
        return SharedRedis.backend(timeSource);
    }
}
