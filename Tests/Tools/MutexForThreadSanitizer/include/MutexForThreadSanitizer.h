// Nothing to call: a program that links this tells the Thread Sanitizer of every `Mutex`.
