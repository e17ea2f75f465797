// Nothing to call: who links this tells the Thread Sanitizer of every `Mutex`.
