package io.ratelimit.autoconfigure;

class MemoryFeaturesTests extends BackendFeaturesContract {

    @Override
    String[] backend() {
        return new String[0];
    }
}
