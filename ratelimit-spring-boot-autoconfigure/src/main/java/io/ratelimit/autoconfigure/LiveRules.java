package io.ratelimit.autoconfigure;

import io.ratelimit.enforcement.LiveLimits;
import java.util.List;
import java.util.Map;

/** The rules in force, and how others take their place. Only there in web applications. */
interface LiveRules {

    /** Returns a place that makes limits of these rules. */
    LiveLimits.Place place(List<RuleProperties> rules);

    /** Describes the rules in force by what they are called in messages. */
    Map<String, String> describe();
}
