package io.ratelimit.sample.playground;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Algorithm;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PresetTests {

    private static final Map<String, List<String>> TABLES = Map.of(
            "boundary-burst",
            List.of("boundary-burst-fixed-window", "boundary-burst-sliding-log", "boundary-burst-sliding-counter"),
            "parking-lot",
            List.of("sliding-log-parking-lot"),
            "early-burst",
            List.of("sliding-log-early-burst", "sliding-counter-early-burst"),
            "late-burst",
            List.of("sliding-log-late-burst", "sliding-counter-late-burst"),
            "first-admission",
            List.of("sliding-counter-first-admission"),
            "weighted",
            List.of("sliding-counter-weighted"),
            "starts-full",
            List.of("token-bucket-starts-full"),
            "queue",
            List.of("leaky-bucket-burst"),
            "nodelay",
            List.of("leaky-bucket-nodelay"));

    private final TimeLapse timeLapse = new TimeLapse();

    static Stream<Arguments> presetsAndTables() {
        return Presets.all().stream()
                .flatMap(preset -> TABLES.get(preset.id()).stream().map(table -> Arguments.of(preset, table)));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("presetsAndTables")
    void everyPresetGivesTheCountsOfItsTable(Preset preset, String table) {
        WorkedTable worked = WorkedTable.read(table);

        Lane lane = laneOf(preset, worked.algorithm());

        assertThat(lane.moments()).map(Lane.Moment::atMicros).isEqualTo(worked.times());
        assertThat(lane.moments())
                .map(moment -> moment.admitted() + moment.refused())
                .isEqualTo(worked.arrivals());
        assertThat(lane.moments()).map(Lane.Moment::admitted).isEqualTo(worked.accepted());
        assertThat(preset.focus()).contains(worked.algorithm());
    }

    private Lane laneOf(Preset preset, Algorithm algorithm) {
        return timeLapse.run(preset.scenario()).stream()
                .filter(lane -> lane.algorithm() == algorithm)
                .findFirst()
                .orElseThrow();
    }
}
