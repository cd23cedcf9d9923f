package io.ratelimit.sample.playground;

import io.ratelimit.core.Algorithm;
import java.util.List;

/**
 * A scenario with a story.
 *
 * @param id its name in addresses
 * @param title its name on the page
 * @param watch one sentence on what to see
 * @param focus the algorithms the sentence is about
 * @param scenario the traffic and the limits
 */
record Preset(String id, String title, String watch, List<Algorithm> focus, Scenario scenario) {}
