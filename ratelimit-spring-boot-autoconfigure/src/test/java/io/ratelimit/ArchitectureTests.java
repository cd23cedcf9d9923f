package io.ratelimit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;

/** The order of the packages, and who may know Spring. */
class ArchitectureTests {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.ratelimit");

    @Test
    void packagesDependInOneDirection() {
        check(layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("core")
                .definedBy("io.ratelimit.core..")
                .optionalLayer("annotation")
                .definedBy("io.ratelimit.annotation..")
                .optionalLayer("memory")
                .definedBy("io.ratelimit.memory..")
                .optionalLayer("redis")
                .definedBy("io.ratelimit.redis..")
                .optionalLayer("expression")
                .definedBy("io.ratelimit.expression..")
                .optionalLayer("enforcement")
                .definedBy("io.ratelimit.enforcement..")
                .optionalLayer("aop")
                .definedBy("io.ratelimit.aop..")
                .optionalLayer("web")
                .definedBy("io.ratelimit.web..")
                .optionalLayer("actuate")
                .definedBy("io.ratelimit.actuate..")
                .optionalLayer("autoconfigure")
                .definedBy("io.ratelimit.autoconfigure..")
                .whereLayer("core")
                .mayNotAccessAnyLayer()
                .whereLayer("annotation")
                .mayOnlyAccessLayers("core")
                .whereLayer("memory")
                .mayOnlyAccessLayers("core")
                .whereLayer("redis")
                .mayOnlyAccessLayers("core")
                .whereLayer("expression")
                .mayOnlyAccessLayers("core")
                .whereLayer("enforcement")
                .mayOnlyAccessLayers("core", "expression")
                .whereLayer("aop")
                .mayOnlyAccessLayers("core", "annotation", "expression", "enforcement")
                .whereLayer("web")
                .mayOnlyAccessLayers("core", "expression", "enforcement")
                .whereLayer("actuate")
                .mayOnlyAccessLayers("core", "memory", "redis", "expression", "enforcement", "aop", "web")
                .whereLayer("autoconfigure")
                .mayNotBeAccessedByAnyLayer());
    }

    @Test
    void packagesFormNoCycles() {
        check(slices().matching("io.ratelimit.(*)..").should().beFreeOfCycles());
    }

    @Test
    void countingNeedsNoSpring() {
        check(noClasses()
                .that()
                .resideInAnyPackage("io.ratelimit.core..", "io.ratelimit.memory..", "io.ratelimit.annotation..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.."));
    }

    @Test
    void onlyTheWebRoomKnowsServlets() {
        check(noClasses()
                .that()
                .resideInAnyPackage(
                        "io.ratelimit.redis..",
                        "io.ratelimit.expression..",
                        "io.ratelimit.enforcement..",
                        "io.ratelimit.aop..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jakarta.servlet.."));
    }

    @Test
    void autoConfigurationsAreFinalWithoutPublicMembers() {
        check(classes()
                .that()
                .areAnnotatedWith(AutoConfiguration.class)
                .should()
                .haveModifier(JavaModifier.FINAL));
        check(noMethods()
                .that()
                .areDeclaredInClassesThat()
                .areAnnotatedWith(AutoConfiguration.class)
                .should()
                .bePublic());
        check(noFields()
                .that()
                .areDeclaredInClassesThat()
                .areAnnotatedWith(AutoConfiguration.class)
                .should()
                .bePublic());
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(CLASSES);
    }
}
